import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol

extension CoreCommand {
    /// Reads the text of a command.
    public init(text: String) throws(ChatError) {
        do throws(DecodeError) {
            var reader = CommandReader(text)
            self = try CoreCommand.read(from: &reader)
            try reader.finish()
        } catch {
            throw .commandSyntax
        }
    }

    private static func read(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        if reader.isName { return .send(try reader.target(), [MessageContent(reader.rest())]) }
        let word = reader.word()
        switch word {
        case "/u", "/user": return .showActiveProfile
        case "/users": return .listProfiles
        case "/_create": return try createProfile(from: &reader)
        case "/create":
            try reader.expect("user")
            let name = reader.name()
            let bio = reader.rest()
            return .createProfile(Profile(displayName: name, shortDescription: bio.isEmpty ? nil : bio))
        case "/_user": return .activateProfile(try reader.profileID())
        case "/_profile":
            let id = try reader.profileID()
            return .updateProfile(id, try Profile(decoding: Bytes(reader.rest().utf8)))
        case "/p", "/profile":
            if reader.isAtEnd { return .showActiveProfile }
            let name = reader.name()
            let text = reader.rest()
            return .describeProfile(name: name, text: text.isEmpty ? nil : text)
        case "/_servers": return try servers(try reader.profileID(), from: &reader)
        case "/servers": return .setServers(nil, try addresses(from: &reader))
        case "/smp":
            if reader.isAtEnd { return .listServers(nil) }
            try reader.expect("test")
            return .testServer(nil, try ConfiguredServer(text: reader.rest()))
        case "/_server":
            try reader.expect("test")
            let id = try reader.profileID()
            return .testServer(id, try ConfiguredServer(text: reader.rest()))
        case "/_operators": return try operators(from: &reader)
        case "/_conditions": return .showConditions
        case "/_accept_conditions": return try acceptance(from: &reader)
        case "/_connect":
            if reader.skip("plan ") { return .planConnection(try reader.profileID(), link: reader.rest()) }
            return connect(try reader.profileID(), from: &reader)
        case "/c", "/connect":
            return reader.skip("plan ") ? .planConnection(nil, link: reader.rest()) : connect(nil, from: &reader)
        case "/_contacts": return .listContacts(try reader.profileID())
        case "/contacts": return .listContacts(nil)
        case "/_info":
            let id = try reader.profileID()
            return .showContact(id, name: try reader.contactName())
        case "/i", "/info": return .showContact(nil, name: try reader.contactName())
        case "/_notes": return .showNotes(try reader.profileID())
        case "/notes": return .showNotes(nil)
        case "/_open_notes": return .openNotes(try reader.profileID())
        case "/open_notes": return .openNotes(nil)
        case "/_get": return try get(from: &reader)
        case "/cs", "/chats": return try chats(nil, from: &reader)
        case "/items": return .listItems(nil, try reader.range())
        case "/t", "/tail": return try tail(from: &reader)
        case "/_pq", "/pq":
            let target = try reader.target()
            return .setPostQuantum(target, try reader.isOn())
        case "/_read":
            try reader.expect("chat")
            guard reader.skip("items") else { return .markRead(try reader.target()) }
            let chat = try reader.target()
            return .markItemsRead(chat, try reader.itemIDs())
        case "/read": return .markRead(try reader.target())
        case "/_set", "/set", "/_receipts", "/receipts", "/_switch", "/switch", "/_abort", "/abort", "/_sync", "/sync":
            return try care(word, from: &reader)
        case "/_send": return try send(from: &reader)
        case "/_fetch":
            let timeout = try reader.duration("timeout") ?? .seconds(60)
            return .fetch(timeout: timeout, idle: try reader.duration("idle") ?? .zero)
        case "/_wait": return try wait(from: &reader)
        case "/_status": return .status(reader.isAtEnd ? nil : try reader.profileID())
        case "/v", "/version": return .version
        case "/_call": return .call(try CallCommand(from: &reader))
        case let word where SessionCommand.words.contains(word):
            return .session(try SessionCommand(word, from: &reader))
        case let word where changeWords.contains(word): return try change(word, from: &reader)
        case let word: return try address(word, from: &reader)
        }
    }

    private static func createProfile(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        try reader.expect("user")
        var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
        return .createProfile(try fields.required("profile"))
    }

    private static func connect(_ id: ProfileID?, from reader: inout CommandReader) -> CoreCommand {
        let isIncognito = reader.isIncognito()
        let name = reader.wish()
        let link = reader.rest()
        return switch link {
        case "": .invite(id, name: name, isIncognito: isIncognito)
        case "incognito": .invite(id, name: name, isIncognito: true)
        default: .connect(id, link: link, name: name, isIncognito: isIncognito)
        }
    }

    private static func get(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        switch reader.word() {
        case "chats": return try chats(try reader.profileID(), from: &reader)
        case "chat":
            let target = try reader.target()
            return .showChat(target, try reader.range())
        case "items":
            let id = try reader.profileID()
            return .listItems(id, try reader.range())
        case "code": return .showCode(try reader.target())
        case "ttl": return .showRetention(try reader.profileID())
        default: throw .invalid("command")
        }
    }

    private static func chats(_ id: ProfileID?, from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        let includesPending = reader.skip("pcc=on")
        let count = try reader.count()
        return .listChats(id, includesPending: includesPending, count: count)
    }

    private static func tail(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        let target = reader.isName ? try reader.target() : nil
        let range = ItemRange.last(reader.isAtEnd ? 20 : try reader.integer())
        return target.map { .showChat($0, range) } ?? .listItems(nil, range)
    }

    private static func send(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        let target = try reader.target()
        let key = reader.skip("once=") ? reader.name() : nil
        switch reader.word() {
        case "text":
            return .send(target, [ComposedMessage(MessageContent(reader.rest()))], once: key)
        case "json":
            guard let messages = try JSONValue(decoding: Bytes(reader.rest().utf8)).array else {
                throw .invalid("array")
            }
            var composed: [ComposedMessage] = []
            for message in messages {
                guard let object = message.object else { throw .invalid("message") }
                var fields = JSONFields(object)
                composed.append(try ComposedMessage(from: &fields))
            }
            return .send(target, composed, once: key)
        default: throw .invalid("message form")
        }
    }

    private static func wait(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        switch reader.word() {
        case "item":
            let id = ChatItemID(try reader.integer())
            return .waitForItem(id, timeout: try reader.duration("timeout") ?? .seconds(30))
        case "delivery":
            let id = ChatItemID(try reader.integer())
            return .waitForDelivery(id, timeout: try reader.duration("timeout") ?? .seconds(30))
        case "connection":
            let id = ConnectionID(try reader.integer())
            guard let stage = ConnectionStage(rawValue: reader.word()) else { throw .invalid("stage") }
            return .waitForConnection(id, stage, timeout: try reader.duration("timeout") ?? .seconds(30))
        default: throw .invalid("wait")
        }
    }
}
