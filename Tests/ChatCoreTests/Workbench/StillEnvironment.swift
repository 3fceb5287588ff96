import Agent
import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import TestSupport

/// Time and chance of a collaborator under test. Time stands still but for ``pass(_:)``, and there are no relays.
final class StillEnvironment: AgentEnvironment {
    private struct Timer {
        let number: Int
        let time: Timestamp
        let action: () -> Void
    }

    private(set) var now = Timestamp(milliseconds: 1_700_000_000_000)
    let random: any RandomSource = SeededRandom(seed: 1)
    private var timers: [Timer] = []
    private var lastNumber = 0

    /// True if something is going to happen.
    var hasTimer: Bool { !timers.isEmpty }

    /// Lets time pass, with everything that becomes due.
    func pass(_ duration: Duration) {
        let end = now + duration
        while let next = timers.min(by: { $0.time < $1.time }), next.time <= end {
            timers.removeAll { $0.number == next.number }
            now = max(now, next.time)
            next.action()
        }
        now = end
    }

    func after(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void {
        lastNumber += 1
        let number = lastNumber
        timers.append(Timer(number: number, time: now + delay, action: action))
        return { [weak self] in self?.timers.removeAll { $0.number == number } }
    }

    func atEndOfTurn(_ action: @escaping () -> Void) {
        _ = after(.zero, action)
    }

    func connect(
        to server: ServerAddress, handler: @escaping (RelaySession.Event) -> Void
    ) -> any RelayChannel {
        SilentChannel()
    }
}

/// A session that never opens.
private final class SilentChannel: RelayChannel {
    var version: UInt16? { nil }
    func send(_ command: RelayRequest, finish: @escaping (RelaySession.Answer) -> Void) {}
    func close() {}
}
