import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import SMPProtocol
import TerminalKit

/// `tacit server`
enum ServerCommand {
    static let command = Command(
        noun: "server", "Manage the relays for new queues, files and channels", verbs: leaves.map(\.command),
        defaultVerb: "list",
        discussion: """
            Each new queue is created on a random enabled relay; operators share the queues equally. Existing queues stay on \
            their relays, so changes here apply to new queues only. Files are stored on the enabled relays for files, whose \
            addresses begin with xftp://. Channels are created on chat relays, whose addresses begin with https://.
            """)

    static let leaves = [
        ServerListCommand.leaf, ServerAddCommand.leaf, ServerRemoveCommand.leaf, ServerEnableCommand.leaf,
        ServerDisableCommand.leaf, ServerTestCommand.leaf,
    ]

    /// A server that is on the list.
    static let name = Positional<String>(
        "ADDRESS|HOST", "Address, host or id of the relay", .text("ADDRESS|HOST", completing: .server))

    /// What is said about a relay that a word names: an address without its password.
    static func quoted(_ word: String) -> String { UntrustedText(shown(word)).quoted }

    fileprivate static func shown(_ word: String) -> String {
        ((try? ConfiguredServer(text: word)) ?? (try? ConfiguredServer(text: word, scheme: .xftp)))?.address.place
            ?? word
    }
}

extension CommandSession {
    /// The servers of the profile.
    func servers() async throws -> [OperatorServers] {
        try await execute(ListServers(try await profileID())).groups
    }

    /// The one server that a word names: by its address, by a host, with or without the port, or by its id.
    func server(_ word: String) async throws -> ServerReport {
        let all = ServerReport.list(try await servers()), named = all.filter { $0.server.isNamed(word) }
        // A host alone means its relay for messages, if it has both.
        let forMessages = named.filter { !$0.server.isForFiles && !$0.server.isChatRelay }
        let found = forMessages.isEmpty ? named : forMessages
        guard let first = found.first else {
            throw Reason.unknownServer(ServerCommand.shown(word), known: all.map(\.server.place))
        }
        guard found.count == 1 else { throw Reason.ambiguousServer(word, found.map(\.server)) }
        return first
    }

    /// Writes changes to servers, and reports each as it is then.
    func change(_ servers: [ListedServer], _ action: String) async throws {
        let profile = try await profile()
        _ = try await execute(
            UpdateServers(
                profile.id, servers.compactMap(\.profileServer), relays: servers.compactMap(\.chatRelay)))
        let after = ServerReport.list(try await self.servers())
        try invocation.print(
            done: servers.map { changed in
                let now = after.first { $0.server.isSame(as: changed) }
                return ServerReport(
                    server: now?.server ?? changed, operator: now?.operator, action: action,
                    isUsable: now?.isUsable ?? true)
            })
    }
}

/// The words that name relays for files.
enum XFTPWord {
    static let prefix = "xftp://"
}

extension ListedServer {
    /// Returns true if a word of the user means this relay.
    fileprivate func isNamed(_ word: String) -> Bool {
        switch self {
        case .server(let server): return server.isNamed(word)
        case .chatRelay(let relay):
            // Its host may be that of a relay for messages.
            if let link = try? ShortLink(text: word) { return relay.address.isSame(as: link) }
            return word == relay.profile.displayName
        }
    }
}

extension ProfileServer {
    /// Whether a word of the user means this server.
    fileprivate func isNamed(_ word: String) -> Bool {
        if isForFiles {
            if let server = try? ConfiguredServer(text: word, scheme: .xftp) { return server.address == address }
            // The ids of both kinds are counted apart.
            let place = word.hasPrefix(XFTPWord.prefix) ? String(word.dropFirst(XFTPWord.prefix.count)) : word
            return place == address.place || place == address.location
                || address.hosts.contains { $0.description == place }
        }
        if let server = try? ConfiguredServer(text: word) { return server.address == address }
        return word == address.place || word == address.location || word == id.map { "id:\(ObjectID.text($0))" }
            || address.hosts.contains { $0.description == word }
    }
}
