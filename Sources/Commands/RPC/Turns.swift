import SystemIO

/// Has the commands of one connection begin in their order: each when the one before has written what it has to write, or has
/// ended. What only waits then, as for a receipt, holds up nobody; and nothing does so for longer than a moment.
final class Turns: @unchecked Sendable {
    // Safe because it is touched on the loop's thread only.

    private let loop: EventLoop
    private var waiting: [(_ pass: @escaping @Sendable () -> Void) -> Void] = []
    /// How many have begun.
    private var count = 0
    /// Passes the turn of the last one on; nil if nobody has it.
    private var timer: Timer?

    private static let timeout = Duration.seconds(1)

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Calls `begin` when it is its turn, with what passes that on, from any thread.
    func take(_ begin: @escaping (_ pass: @escaping @Sendable () -> Void) -> Void) {
        waiting.append(begin)
        if timer == nil { next() }
    }

    private func next() {
        guard !waiting.isEmpty else { return }
        let begin = waiting.removeFirst()
        count += 1
        let number = count, loop = loop
        timer = loop.after(Turns.timeout) { [weak self] in self?.pass(number) }
        begin { [weak self] in loop.post { [weak self] in self?.pass(number) } }
    }

    private func pass(_ number: Int) {
        guard number == count, let timer else { return }
        timer.cancel()
        self.timer = nil
        next()
    }
}
