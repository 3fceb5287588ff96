import ChatCore
import SystemIO
import TerminalKit

/// The folder in which hooks are.
struct HookFolder: Sendable {
    let path: String

    /// What there is of a hook.
    enum State: Hashable {
        case missing
        /// It can be run, from this path.
        case ready(String)
        /// It is there and not run, for this reason.
        case ignored(String)
    }

    init(_ invocation: Invocation) throws(Failure) {
        path = "\(try invocation.directories().config)/hooks"
    }

    /// Where a hook is, or would be.
    func path(of hook: Hook) -> String { "\(path)/\(hook.rawValue)" }

    /// Whether a hook can be run.
    ///
    /// SECURITY: whoever can change a hook or put another in its place acts with the rights of the user, and reads what the
    /// user is told.
    func state(of hook: Hook) -> State {
        guard let resolved = Files.resolved(path(of: hook)), let file = try? Files.status(resolved) else {
            return .missing
        }
        guard file.isRegular else { return .ignored("it is no file") }
        // A link may lead elsewhere: what counts there is the folder that it leads to.
        for folder in [path, String(resolved[..<(resolved.lastIndex(of: "/") ?? resolved.startIndex)])] {
            guard let status = try? Files.status(folder.isEmpty ? "/" : folder), status.isOwn else {
                return .ignored("its folder belongs to somebody else")
            }
            guard !status.isWritableByOthers else { return .ignored("others can write to its folder") }
        }
        guard file.isOwn else { return .ignored("it belongs to somebody else") }
        guard !file.isWritableByOthers else { return .ignored("others can write to it") }
        guard file.isExecutable else { return .ignored("it is not executable") }
        return .ready(resolved)
    }

    /// Whether there may be hooks at all.
    var exists: Bool { Files.isFolder(path) }

    /// The calls that an event asks for, of hooks that can be run.
    func calls(for event: ChatEvent) -> [HookCall] {
        Hook.calls(for: event).filter { hook, _ in
            if case .ready = state(of: hook) { true } else { false }
        }.map(\.call)
    }

    /// Says which hooks are there and not run.
    func warn(_ invocation: Invocation) {
        for hook in Hook.allCases {
            if case .ignored(let reason) = state(of: hook) {
                invocation.warn("the hook \(hook.rawValue) is ignored: \(reason)")
            }
        }
    }
}
