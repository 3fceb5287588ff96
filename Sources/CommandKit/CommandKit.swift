/// The command line as one value, and everything that is read from that value.
///
/// - ``CommandTree`` holds the whole language: its ``Command``s with their ``Option``s, ``Positional``s and examples, the
///   global options, the help topics and the exit codes.
/// - The parser turns words and an environment into a ``Request``, or throws a ``UsageError``. It never prints or exits.
/// - ``Parsed`` gives the values out by the declaration that asked for them, so no command looks anything up by name.
/// - Help is another reading of the same value: ``CommandTree/shortHelp(for:width:)``,
///   ``CommandTree/fullHelp(for:width:)``, ``CommandTree/help(about:width:)``.
/// - So is the manual, ``CommandTree/manual(_:)``, and what shells complete: ``CommandTree/offer(for:)``,
///   ``CommandTree/completionScript(for:)``.
/// - A ``ReportForm`` declares what a command prints for programs; ``ReportForm/schema`` is its JSON Schema.
/// - ``CommandTree/defects()`` finds mistakes in the declarations themselves; a test keeps the list empty.
///
/// Nothing here knows what a command does, or how text reaches a screen.
///
/// ```swift
/// let wait = Option<Stage>("wait", "Return when the message has come this far", .choice(), default: .sent)
/// let target = Positional<String>("TARGET", "Who receives the message", .text(completing: .chat))
/// let send = Command(
///     "send", "Send a message", promise: "the relay has accepted the message", store: .writing,
///     positionals: [target], options: [wait], examples: [Example("tacit send @alice hi", "Say hi")])
///
/// guard case .run(let parsed) = try tree.parse(arguments: words, environment: variables) else { ... }
/// let stage = parsed[wait]
/// ```

/// How a command uses the store, which decides whether it needs the one-writer lock.
public enum StoreUse: Hashable, Sendable {
    case none
    /// Sees a snapshot and never waits for the lock.
    case reading
    case writing
}

/// What an incomplete word may become when the user asks the shell to complete it.
public enum Completion: Hashable, Sendable, CaseIterable {
    case nothing, file, folder
    case chat, contact, group, profile, request, invitation, message, transfer
    case server, topic, report, field, cursor, setting, hook
}

/// What an exit code says, for the help pages.
public struct ExitMeaning: Hashable, Sendable {
    public let code: Int32
    public let meaning: String

    public init(_ code: Int32, _ meaning: String) {
        self.code = code
        self.meaning = meaning
    }
}
