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
        case ignored(Fault)
    }

    /// Why a hook is not run.
    enum Fault: Hashable {
        case noFile
        case foreignFolder(String)
        case openFolder(String)
        case foreignFile
        case openFile(String)
        case notExecutable(String)

        /// As the end of the sentence "the hook is ignored: ...".
        var words: String {
            switch self {
            case .noFile: "it is not a regular file"
            case .foreignFolder: "its folder belongs to another user"
            case .openFolder: "other users can write to its folder"
            case .foreignFile: "it belongs to another user"
            case .openFile: "other users can write to it"
            case .notExecutable: "it is not executable"
            }
        }
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
        guard file.isRegular else { return .ignored(.noFile) }
        // A link may lead elsewhere: what counts there is the folder that it leads to.
        for folder in [path, String(resolved[..<(resolved.lastIndex(of: "/") ?? resolved.startIndex)])] {
            guard let status = try? Files.status(folder.isEmpty ? "/" : folder), status.isOwn else {
                return .ignored(.foreignFolder(folder))
            }
            guard !status.isWritableByOthers else { return .ignored(.openFolder(folder)) }
        }
        guard file.isOwn else { return .ignored(.foreignFile) }
        guard !file.isWritableByOthers else { return .ignored(.openFile(resolved)) }
        guard file.isExecutable else { return .ignored(.notExecutable(resolved)) }
        return .ready(resolved)
    }

    /// The names of files in the folder that are no hooks, sorted: perhaps misspelled ones. Hidden files and folders are left
    /// out.
    func strangers() throws(SystemError) -> [String] {
        guard exists else { return [] }
        return try Files.names(in: path).filter { name in
            !name.hasPrefix(".") && Hook(rawValue: name) == nil && !Files.isFolder("\(path)/\(name)")
        }
    }

    /// Whether there may be hooks at all.
    var exists: Bool { Files.isFolder(path) }

    /// The calls that an event asks for, of hooks that can be run.
    func calls(for event: any ChatEvent) -> [HookCall] {
        event.hookCalls.filter { call in
            if case .ready? = Hook(rawValue: call.hook).map(state) { true } else { false }
        }
    }

    /// Says which hooks are there and not run.
    func warn(_ invocation: Invocation) {
        for hook in Hook.allCases {
            if case .ignored(let fault) = state(of: hook) {
                invocation.warn("the hook \(hook.rawValue) is ignored: \(fault.words)")
            }
        }
    }
}
