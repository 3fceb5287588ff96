/// The callers that wait for a condition.
final class Conditions {
    private struct Waiting {
        let isMet: () -> Bool
        let finish: (Bool) -> Void
        let cancelTimer: () -> Void
    }

    private let environment: any AgentEnvironment
    private var waiting: [Int: Waiting] = [:]
    private var lastNumber = 0
    private var willCheck = false

    init(environment: any AgentEnvironment) {
        self.environment = environment
    }

    /// Calls `finish` once: with true when `condition` holds, with false after the deadline.
    func wait(_ deadline: Duration, until condition: @escaping () -> Bool, finish: @escaping (Bool) -> Void) {
        lastNumber += 1
        let number = lastNumber
        let cancelTimer = environment.after(deadline) { [weak self] in
            self?.waiting.removeValue(forKey: number)?.finish(condition())
        }
        waiting[number] = Waiting(isMet: condition, finish: finish, cancelTimer: cancelTimer)
        changed()
    }

    /// Checks the conditions at the end of the current turn.
    func changed() {
        guard !willCheck, !waiting.isEmpty else { return }
        willCheck = true
        environment.atEndOfTurn { [weak self] in self?.check() }
    }

    /// Ends all waits with false.
    func abandon() {
        let abandoned = waiting.sorted { $0.key < $1.key }
        waiting = [:]
        for (_, waiting) in abandoned {
            waiting.cancelTimer()
            waiting.finish(false)
        }
    }

    private func check() {
        willCheck = false
        for (number, candidate) in waiting.sorted(by: { $0.key < $1.key }) where candidate.isMet() {
            // A caller that finished as a consequence of another one is gone.
            guard waiting.removeValue(forKey: number) != nil else { continue }
            candidate.cancelTimer()
            candidate.finish(true)
        }
    }
}
