/// Callers that wait until something is so.
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

    /// Calls `finish` once: with true when `condition` holds, with false when the deadline has passed.
    func wait(_ deadline: Duration, until condition: @escaping () -> Bool, finish: @escaping (Bool) -> Void) {
        lastNumber += 1
        let number = lastNumber
        let cancelTimer = environment.after(deadline) { [weak self] in
            self?.waiting.removeValue(forKey: number)?.finish(condition())
        }
        waiting[number] = Waiting(isMet: condition, finish: finish, cancelTimer: cancelTimer)
        changed()
    }

    /// Looks at the conditions when everything that happens now has been dealt with.
    func changed() {
        guard !willCheck, !waiting.isEmpty else { return }
        willCheck = true
        environment.atEndOfTurn { [weak self] in self?.check() }
    }

    /// Ends all waiting with false.
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
            // One that was finished by another's consequences is not there any more.
            guard waiting.removeValue(forKey: number) != nil else { continue }
            candidate.cancelTimer()
            candidate.finish(true)
        }
    }
}
