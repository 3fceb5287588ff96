/// What whoever opens a core knows about the programs that the user has put in place.
public struct ChatHooks: Sendable {
    private let calls: @Sendable (any ChatEvent) -> [HookCall]
    private let objection: @Sendable ([Utterance]) async throws -> String?

    /// - Parameters:
    ///   - calls: The hooks that are to be told of an event. It is asked before the event is on disk.
    ///   - objection: Why one of several texts must not be sent; nil if all may.
    public init(
        calls: @escaping @Sendable (any ChatEvent) -> [HookCall],
        objection: @escaping @Sendable ([Utterance]) async throws -> String?
    ) {
        self.calls = calls
        self.objection = objection
    }

    /// No programs.
    public static let none = ChatHooks(calls: { _ in [] }, objection: { _ in nil })

    func calls(for event: any ChatEvent) -> [HookCall] { calls(event) }

    func objection(to utterances: [Utterance]) async throws -> String? {
        utterances.isEmpty ? nil : try await objection(utterances)
    }
}
