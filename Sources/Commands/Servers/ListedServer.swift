import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol

/// A relay in the list of a profile: one for messages or files, or a chat relay for channels.
enum ListedServer {
    case server(ProfileServer)
    case chatRelay(ChatRelay)

    /// True for a relay that stores files.
    var isForFiles: Bool {
        if case .server(let server) = self { server.isForFiles } else { false }
    }

    /// True for a chat relay.
    var isChatRelay: Bool { chatRelay != nil }

    var chatRelay: ChatRelay? {
        if case .chatRelay(let relay) = self { relay } else { nil }
    }

    var profileServer: ProfileServer? {
        if case .server(let server) = self { server } else { nil }
    }

    var isPreset: Bool {
        switch self {
        case .server(let server): server.isPreset
        case .chatRelay(let relay): relay.isPreset
        }
    }

    var isEnabled: Bool {
        switch self {
        case .server(let server): server.isEnabled
        case .chatRelay(let relay): relay.isEnabled
        }
    }

    /// The id; nil for relays for files and chat relays, whose ids are counted apart.
    var objectID: String? {
        guard case .server(let server) = self, !server.isForFiles else { return nil }
        return server.id.map { ObjectID.text($0) }
    }

    /// The word that names it by its id.
    var word: String? { objectID.map { "id:\($0)" } }

    /// The host, or the name of a chat relay, as users know it.
    var place: String {
        switch self {
        case .server(let server): server.address.place
        case .chatRelay(let relay): relay.profile.displayName
        }
    }

    /// The address without a password.
    var address: String {
        switch self {
        case .server(let server): server.address.text(scheme: server.isForFiles ? .xftp : .smp)
        case .chatRelay(let relay): relay.text
        }
    }

    /// Returns the relay, enabled or not.
    func enabled(_ isEnabled: Bool) -> ListedServer {
        switch self {
        case .server(var server):
            server.isEnabled = isEnabled
            return .server(server)
        case .chatRelay(var relay):
            relay.isEnabled = isEnabled
            return .chatRelay(relay)
        }
    }

    /// The relay as a change that removes it.
    var removed: ListedServer {
        switch self {
        case .server(var server):
            server.isDeleted = true
            return .server(server)
        case .chatRelay(var relay):
            relay.isDeleted = true
            return .chatRelay(relay)
        }
    }

    /// Returns true if both are one relay, before and after a change.
    func isSame(as other: ListedServer) -> Bool {
        switch (self, other) {
        case (.server(let server), .server(let other)):
            server.address == other.address && server.isForFiles == other.isForFiles
        case (.chatRelay(let relay), .chatRelay(let other)): relay.address.isSame(as: other.address)
        default: false
        }
    }
}

/// An address that `tacit server add` takes.
struct AddedServer: Sendable {
    /// The relay for messages or files; nil for a chat relay.
    let relay: AnyRelay?
    /// The address of a chat relay.
    let chatRelay: ShortLink?

    /// The relay as it is added. A chat relay is named after its host, because its own name is behind its address.
    var listed: ListedServer? {
        if let relay { return .server(ProfileServer(relay.server, isForFiles: relay.scheme == .xftp)) }
        return chatRelay.map { .chatRelay(ChatRelay($0, RelayProfile(displayName: $0.server.place))) }
    }
}
