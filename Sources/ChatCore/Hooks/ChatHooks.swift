/// What whoever opens a core knows about the programs that the user has put in place.
public struct ChatHooks: Sendable {
    private let calls: @Sendable (any ChatEvent) -> [HookCall]
    private let objection: @Sendable (CoreCommand, LocalCore) async throws -> String?

    /// - Parameters:
    ///   - calls: The hooks that are to be told of an event. It is asked before the event is on disk.
    ///   - objection: Why something must not be said to a contact; nil if it may.
    public init(
        calls: @escaping @Sendable (any ChatEvent) -> [HookCall],
        objection: @escaping @Sendable (CoreCommand, LocalCore) async throws -> String?
    ) {
        self.calls = calls
        self.objection = objection
    }

    /// No programs.
    public static let none = ChatHooks(calls: { _ in [] }, objection: { _, _ in nil })

    func calls(for event: any ChatEvent) -> [HookCall] { calls(event) }

    func objection(to command: CoreCommand, of core: LocalCore) async throws -> String? {
        try await objection(command, core)
    }
}

extension CoreCommand {
    /// Whether it says something to a contact.
    var saysSomething: Bool {
        switch self {
        case .send, .forward, .editItem: true
        default: false
        }
    }
}
