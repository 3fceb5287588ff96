import Agent
public import AgentProtocol

/// The hidden profiles whose password the caller knows. They belong to a caller and not to the core, which may run commands of
/// several callers at a time. Hidden profiles receive as all do.
enum OpenedProfiles {
    @TaskLocal static var ids: Set<ProfileID> = []
}

extension LocalCore {
    /// Runs commands that may use hidden profiles, see ``OpenProfile``.
    public static func withOpened<Value>(
        _ ids: Set<ProfileID>, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await OpenedProfiles.$ids.withValue(OpenedProfiles.ids.union(ids)) { try await body() }
    }
}
