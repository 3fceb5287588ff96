import ChatCore
import SystemIO
import TerminalKit

/// A hook that can be run.
struct HookProgram: Sendable {
    let hook: Hook
    /// Where it is.
    let path: String
    let environment: [String: String]

    /// How long a hook may take.
    static let limit = Duration.seconds(30)

    /// What only concerns this process: keys, the descriptor of one, and the socket of the service manager.
    private static let ownVariables = [
        "TACIT_KEY", "TACIT_KEY_FD", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC",
    ]

    /// Runs it to its end. Other users can read the arguments and the environment of a process on some systems, so what it is
    /// told comes on its standard input.
    ///
    /// Whatever it writes goes to standard error, because standard output is for results.
    func run(_ call: HookCall, on loop: EventLoop, _ running: RunningHook) async -> HookEnding {
        let ending = await withCheckedContinuation { (continuation: CheckedContinuation<HookEnding, Never>) in
            do throws(SystemError) {
                let process = try GroupProcess(
                    path, [path], environment: variables(for: call), input: Array(call.event.utf8) + [0x0a], output: 2,
                    limit: HookProgram.limit, on: loop
                ) { continuation.resume(returning: HookEnding($0)) }
                running.pid = process.pid
            } catch {
                continuation.resume(returning: .unstarted(error.reason))
            }
        }
        running.pid = nil
        return ending
    }

    private func variables(for call: HookCall) -> [String: String] {
        var variables = environment
        for name in HookProgram.ownVariables { variables[name] = nil }
        variables["TACIT_EVENT"] = hook.word
        variables["TACIT_PROFILE"] = "id:\(ObjectID.text(call.profileID))"
        variables["TACIT_ID"] = call.objectID
        variables["TACIT_CHAT_ID"] = call.chatID
        return variables
    }
}

/// How a hook ended.
enum HookEnding: Hashable {
    case ended(Subprocess.Ending)
    case late
    /// It could not be started, for this reason.
    case unstarted(String)

    fileprivate init(_ outcome: GroupProcess.Outcome) {
        switch outcome {
        case .ended(let ending): self = .ended(ending)
        case .late: self = .late
        }
    }

    /// Whether it did what it was there for.
    var isGood: Bool { self == .ended(.exited(0)) }

    /// What became of it, as the end of the sentence "the hook ...".
    var words: String {
        switch self {
        case .ended(let ending): "ended with \(ending.words)"
        case .late: "ran for more than 30 s and was killed"
        case .unstarted(let reason): "could not be started: \(reason)"
        }
    }
}
