import Agent
public import AgentProtocol
public import JSONCoding
import Synchronization

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

/// The hidden profiles that the other side of one conversation with a core may use, because it knows their passwords.
public final class ProfileAccess: Sendable {
    private let ids = Mutex<Set<ProfileID>>([])

    public init() {}

    /// Runs a command of the conversation, and returns its answer as the API has it. The profile that an ``OpenProfile`` finds
    /// belongs to the conversation from then on.
    public func json<Command: ChatCommand>(
        of command: Command, _ execute: (Command) async throws -> Command.Response
    ) async throws(ChatError) -> JSONObject {
        let response: Command.Response
        do {
            response = try await LocalCore.withOpened(ids.withLock { $0 }) { try await execute(command) }
        } catch {
            throw error as? ChatError ?? .internal
        }
        if let found = response as? ProfileList, command is OpenProfile {
            ids.withLock { $0.formUnion(found.profiles.map(\.id)) }
        }
        return response.json
    }
}
