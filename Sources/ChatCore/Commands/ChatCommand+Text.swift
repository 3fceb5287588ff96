import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol

extension CoreCommand {
    /// The text of the command, which ``init(text:)`` reads.
    public var text: String {
        switch self {
        case .showActiveProfile: "/user"
        case .listProfiles: "/users"
        case .createProfile(let profile):
            "/_create user \(JSONObject(dictionaryLiteral: ("profile", profile.json), ("pastTimestamp", false)).line)"
        case .activateProfile(let id): "/_user \(id.number)"
        case .updateProfile(let id, let profile): "/_profile \(id.number) \(profile.json.line)"
        case .describeProfile(let name, let text):
            "/profile \(CoreCommand.quoted(name, always: true))\(text.map { " \($0)" } ?? "")"
        case .listServers, .setServers, .updateServers, .testServer, .listOperators, .updateOperators, .showConditions,
            .acceptConditions:
            serverText
        case .invite(let id, let name, let isIncognito):
            "\(CoreCommand.named("connect", id))\(CoreCommand.incognito(isIncognito))\(CoreCommand.wish(name))"
        case .connect(let id, let link, let name, let isIncognito):
            "\(CoreCommand.named("connect", id))\(CoreCommand.incognito(isIncognito))\(CoreCommand.wish(name)) \(link)"
        case .planConnection(let id, let link): "\(id.map { "/_connect plan \($0.number)" } ?? "/connect plan") \(link)"
        case .listInvitations(let id): CoreCommand.named("invitations", id)
        case .deleteConnection(let id): "/_delete :\(id.number)"
        case .createAddress(let id): CoreCommand.named("address", id)
        case .showAddress(let id): CoreCommand.named("show_address", id)
        case .addShortLink(let id): CoreCommand.named("short_link_address", id)
        case .rotateAddress(let id): CoreCommand.named("rotate_address", id)
        case .deleteAddress(let id): CoreCommand.named("delete_address", id)
        case .setAddress(let id, let settings): "\(CoreCommand.named("address_settings", id)) \(settings.json.line)"
        case .listRequests(let id): CoreCommand.named("requests", id)
        case .accept(let target, let isIncognito): CoreCommand.named("accept", target, isIncognito: isIncognito)
        case .reject(let target): CoreCommand.named("reject", target)
        case .listContacts(let id): CoreCommand.named("contacts", id)
        case .showContact(let id, let name): "\(CoreCommand.named("info", id)) @\(CoreCommand.quoted(name))"
        case .showNotes(let id): CoreCommand.named("notes", id)
        case .openNotes(let id): CoreCommand.named("open_notes", id)
        case .listChats(let id, let includesPending, let count):
            "\(id.map { "/_get chats \($0.number)" } ?? "/chats")\(includesPending ? " pcc=on" : "")"
                + (count.map { " count=\($0)" } ?? "")
        case .showChat(let chat, let range): "/_get chat \(chat.text) \(range.text)"
        case .listItems(let id, let range):
            "\(id.map { "/_get items \($0.number)" } ?? "/items") \(range.text)"
        case .setPostQuantum(let chat, let isWanted): "/_pq \(chat.text) \(isWanted ? "on" : "off")"
        case .markRead(let chat): "/_read chat \(chat.text)"
        case .markItemsRead(let chat, let ids):
            "/_read chat items \(chat.text) \(ids.map { "\($0.number)" }.joined(separator: ","))"
        case .send, .forward, .editItem, .deleteItems, .react, .showItem, .findItems, .listCursors, .moveCursor,
            .deleteCursor, .listOutbox, .flush, .dropItem, .renameContact, .setMuted, .setBlocked, .deleteContact,
            .showCode, .verify, .setRetention, .showRetention, .setExpiry, .purge, .muteProfile, .hideProfile,
            .unhideProfile, .openProfile, .deleteProfile, .receive,
            .deliver:
            changeText
        case .fetch(let timeout, let idle):
            "/_fetch timeout=\(timeout.milliseconds)ms idle=\(idle.milliseconds)ms"
        case .waitForItem(let id, let timeout): "/_wait item \(id.number) timeout=\(timeout.milliseconds)ms"
        case .waitForDelivery(let id, let timeout): "/_wait delivery \(id.number) timeout=\(timeout.milliseconds)ms"
        case .setReceipts, .setAllReceipts, .setContactReceipts, .switchQueue, .abortSwitch, .synchronize: careText
        case .waitForConnection(let id, let stage, let timeout):
            "/_wait connection \(id.number) \(stage.rawValue) timeout=\(timeout.milliseconds)ms"
        case .session(let command): command.text
        case .call(let command): command.text
        case .status(let id): "/_status\(id.map { " \($0.number)" } ?? "")"
        case .version: "/version"
        }
    }

    /// `/_word 1`, or `/word` without a profile.
    static func named(_ word: StaticString, _ id: ProfileID?) -> String {
        id.map { "/_\(word) \($0.number)" } ?? "/\(word)"
    }

    private static func named(_ word: StaticString, _ target: RequestTarget, isIncognito: Bool = false) -> String {
        switch target {
        case .id(let id): "/_\(word)\(incognito(isIncognito)) \(id.number)"
        case .name(let name): "/\(word)\(incognito(isIncognito)) \(quoted(name, always: true))"
        }
    }

    private static func incognito(_ isOn: Bool) -> String {
        isOn ? " incognito=on" : ""
    }

    private static func wish(_ name: String?) -> String {
        name.map { " as=\(quoted($0, always: true))" } ?? ""
    }

    /// A name as it stands in a command: in single quotes if it has a space, a comma or a quote; a quote in it is doubled.
    static func quoted(_ name: String, always: Bool = false) -> String {
        guard always || name.utf8.contains(UInt8(ascii: "'")) || name.contains(where: { $0 == " " || $0 == "," || $0 == "'" }) else { return name }
        return CommandText.quoted(name)
    }
}

extension ChatTarget {
    /// `@12` or `@'name'`: quotes tell a name from a number.
    var text: String {
        switch self {
        case .reference(.contact(let id)): "@\(id.number)"
        case .name(let name): "@\(CoreCommand.quoted(name, always: true))"
        }
    }
}

extension ItemRange {
    var text: String {
        switch self {
        case .last(let count): "count=\(count)"
        case .before(let id, let count): "before=\(id.number) count=\(count)"
        case .after(let id, let count): "after=\(id.number) count=\(count)"
        }
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
