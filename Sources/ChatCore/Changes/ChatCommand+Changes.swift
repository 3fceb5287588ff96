import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// The texts of the commands about messages that are there, about cursors and the outbox, and about who is a contact.
extension CoreCommand {
    /// The text of one of these commands; empty for others.
    var changeText: String {
        switch self {
        case .send(let chat, let messages, let key):
            "/_send \(chat.text)\(key.map { " once=\(CoreCommand.quoted($0, always: true))" } ?? "")"
                + " json "
                + JSONValue.array(messages.map(\.json)).line
        case .forward(let to, let from, let ids): "/_forward \(to.text) \(from.text) \(ids.text)"
        case .editItem(let chat, let id, let content):
            "/_update item \(chat.text) \(id.number) json \(ComposedMessage(content).json.line)"
        case .deleteItems(let chat, let ids, let mode): "/_delete item \(chat.text) \(ids.text) \(mode.rawValue)"
        case .react(let chat, let id, let reaction, let isAdded):
            "/_reaction \(chat.text) \(id.number) \(isAdded ? "on" : "off") \(reaction.json.line)"
        case .showItem(let id): "/_item \(id.number)"
        case .findItems(let id, let query): "\(CoreCommand.named("search", id))\(query.text)"
        case .listCursors(let id): CoreCommand.named("cursors", id)
        case .moveCursor(let id, let name, let contact, let move):
            "\(CoreCommand.named("cursor", id)) \(CoreCommand.quoted(name, always: true))"
                + "\(contact.map { " @\($0.number)" } ?? "") \(move.text)"
        case .deleteCursor(let id, let name):
            "\(CoreCommand.named("delete_cursor", id)) \(CoreCommand.quoted(name, always: true))"
        case .listOutbox(let id): CoreCommand.named("outbox", id)
        case .flush(let timeout): "/_flush timeout=\(timeout.milliseconds)ms"
        case .setRetention(let id, let chat, let retention):
            "\(CoreCommand.named("ttl", id)) \(chat.map { "\($0.text) " } ?? "")\(retention.text)"
        case .showRetention(let id): id.map { "/_get ttl \($0.number)" } ?? "/get ttl"
        case .setExpiry(let chat, let seconds): "/_expiry \(chat.text) \(seconds.map { "\($0)" } ?? "none")"
        case .purge(let id, let contact, let time, let isDry):
            CoreCommand.named("purge", id) + (contact.map { " @\($0.number)" } ?? "") + " before=\(time)"
                + (isDry ? " dry=on" : "")
        case .dropItem(let id): "/_drop item \(id.number)"
        case .renameContact(let chat, let name): "/_rename \(chat.text) \(CoreCommand.quoted(name, always: true))"
        case .setMuted(let chat, let isMuted):
            #"/_settings \#(chat.text) {"enableNtfs":"\#(isMuted ? "none" : "all")","favorite":false}"#
        case .setBlocked(let chat, let isBlocked): "/_block \(chat.text) \(isBlocked ? "on" : "off")"
        case .deleteContact(let chat, let mode, let notifies):
            "/_delete \(chat.text) \(mode.rawValue)\(notifies ? "" : " notify=off")"
        case .showCode(let chat): "/_get code \(chat.text)"
        case .verify(let chat, let code): "/_verify code \(chat.text)\(code.map { " \($0)" } ?? "")"
        case .muteProfile(let id, let isMuted): "/_\(isMuted ? "" : "un")mute user \(id.number)"
        case .hideProfile(let id, let password): "/_hide user \(id.number) \(JSONValue.string(password).line)"
        case .unhideProfile(let id, let password): "/_unhide user \(id.number) \(JSONValue.string(password).line)"
        case .openProfile(let name, let password):
            "/_open user \(JSONValue.array([.string(name), .string(password)]).line)"
        case .deleteProfile(let id): "/_delete user \(id.number) del_smp=on"
        case .receive(nil): "/_receive"
        case .receive(let timeout?): "/_receive timeout=\(timeout.milliseconds)ms"
        case .deliver(let chat, let timeout): "/_deliver \(chat.text) timeout=\(timeout.milliseconds)ms"
        default: ""
        }
    }

    /// The first words of these commands, apart from `/_send` and `/_get`.
    static let changeWords: Set<String> = [
        "/_forward", "/_update", "/_delete", "/_reaction", "/_item", "/_search", "/search", "/_cursors", "/cursors",
        "/_cursor", "/cursor", "/_delete_cursor", "/delete_cursor", "/_outbox", "/outbox", "/_flush", "/_drop",
        "/_rename", "/_settings", "/mute", "/unmute", "/_mute", "/_unmute", "/_hide", "/_unhide", "/_open", "/_block",
        "/code", "/_verify", "/verify",
        "/_receive", "/_deliver", "/_ttl", "/ttl", "/get", "/_expiry", "/_purge", "/purge",
    ]

    /// Reads what stands behind the first word of one of these commands.
    static func change(_ word: String, from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        let id = try word.hasPrefix("/_") && numbered.contains(word) ? reader.profileID() : nil
        switch word {
        case "/_forward":
            let to = try reader.target(), from = try reader.target()
            return .forward(to: to, from: from, try reader.itemIDs())
        case "/_update":
            try reader.expect("item")
            let chat = try reader.target(), item = ChatItemID(try reader.integer())
            if reader.skip("text ") { return .editItem(chat, item, MessageContent(reader.rest())) }
            try reader.expect("json")
            var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
            return .editItem(chat, item, try fields.required("msgContent"))
        case "/_delete": return try deletion(from: &reader)
        case "/_reaction":
            let chat = try reader.target(), item = ChatItemID(try reader.integer()), isOn = try reader.isOn()
            return .react(chat, item, try Reaction(decoding: Bytes(reader.rest().utf8)), isAdded: isOn)
        case "/_item": return .showItem(ChatItemID(try reader.integer()))
        case "/_search", "/search": return .findItems(id, try reader.query())
        case "/_cursors", "/cursors": return .listCursors(id)
        case "/_cursor", "/cursor":
            let name = reader.name()
            let contact = try reader.isName ? reader.contactID() : nil
            return .moveCursor(id, name: name, in: contact, try reader.cursorMove())
        case "/_delete_cursor", "/delete_cursor": return .deleteCursor(id, name: reader.name())
        case "/_outbox", "/outbox": return .listOutbox(id)
        case "/_flush": return .flush(timeout: try reader.duration("timeout") ?? .seconds(30))
        case "/_ttl", "/ttl":
            let chat = try reader.isName ? reader.target() : nil
            return .setRetention(id, chat, try reader.retention())
        case "/get":
            try reader.expect("ttl")
            return .showRetention(nil)
        case "/_expiry":
            let chat = try reader.target()
            return .setExpiry(chat, try reader.skip("none") ? nil : reader.integer())
        case "/_purge", "/purge":
            let contact = try reader.isName ? reader.contactID() : nil
            guard reader.skip("before=") else { throw .invalid("time") }
            let time = try Timestamp(text: reader.word())
            return .purge(id, in: contact, before: time, isDry: reader.skip("dry=on"))
        case "/_drop":
            try reader.expect("item")
            return .dropItem(ChatItemID(try reader.integer()))
        case "/_receive": return .receive(timeout: try reader.duration("timeout"))
        case "/_deliver":
            let chat = try reader.target()
            return .deliver(chat, timeout: try reader.duration("timeout") ?? .seconds(30))
        default: return try care(ofContact: word, from: &reader)
        }
    }

    /// Those of the words behind which a profile stands.
    private static let numbered: Set<String> = [
        "/_search", "/_cursors", "/_cursor", "/_delete_cursor", "/_outbox", "/_ttl", "/_purge",
    ]

    private static func care(
        ofContact word: String, from reader: inout CommandReader
    ) throws(DecodeError) -> CoreCommand {
        switch word {
        case "/_rename":
            let chat = try reader.target()
            return .renameContact(chat, name: reader.name())
        case "/_settings":
            let chat = try reader.target()
            var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
            return .setMuted(chat, try fields.text("enableNtfs") == "none")
        case "/mute", "/unmute": return .setMuted(try reader.target(), word == "/mute")
        case "/_mute", "/_unmute":
            try reader.expect("user")
            return .muteProfile(try reader.profileID(), word == "/_mute")
        case "/_hide", "/_unhide":
            try reader.expect("user")
            let id = try reader.profileID()
            guard let password = try JSONValue(decoding: Bytes(reader.rest().utf8)).string else {
                throw .invalid("password")
            }
            return word == "/_hide"
                ? .hideProfile(id, password: password) : .unhideProfile(id, password: password)
        case "/_open":
            try reader.expect("user")
            let parts = try JSONValue(decoding: Bytes(reader.rest().utf8)).array?.compactMap(\.string) ?? []
            guard parts.count == 2 else { throw .invalid("password") }
            return .openProfile(name: parts[0], password: parts[1])
        case "/_block":
            let chat = try reader.target()
            return .setBlocked(chat, try reader.isOn())
        case "/code": return .showCode(try reader.target())
        case "/_verify", "/verify":
            if word == "/_verify" { try reader.expect("code") }
            let chat = try reader.target()
            return .verify(chat, reader.isAtEnd ? nil : reader.rest())
        default: throw .invalid("command")
        }
    }

    private static func deletion(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        if reader.skip(":") { return .deleteConnection(ConnectionID(try reader.integer())) }
        if reader.skip("item ") {
            let chat = try reader.target(), ids = try reader.itemIDs()
            _ = reader.skip(" ")
            guard let mode = DeletionMode(rawValue: reader.word()) else { throw .invalid("mode") }
            return .deleteItems(chat, ids, mode)
        }
        if reader.skip("user ") {
            let id = try reader.profileID()
            try reader.expect("del_smp=on")
            return .deleteProfile(id)
        }
        let chat = try reader.target()
        let mode = reader.isAtEnd ? .full : ContactDeletion(rawValue: reader.word())
        guard let mode else { throw .invalid("mode") }
        return .deleteContact(chat, mode, notifies: !reader.skip("notify=off"))
    }
}

extension ComposedMessage {
    /// `ComposedMessage` of the API.
    var json: JSONValue {
        var fields = JSONObject()
        fields.set("quotedItemId", quoted?.number)
        fields["msgContent"] = content.json
        fields["mentions"] = .object([:])
        return .object(fields)
    }

    init(from fields: inout JSONFields) throws(DecodeError) {
        let quoted = try fields.optionalInteger("quotedItemId")
        self.init(try fields.required("msgContent"), answering: quoted.map { ChatItemID($0) })
    }
}

extension [ChatItemID] {
    fileprivate var text: String { map { "\($0.number)" }.joined(separator: ",") }
}

extension CursorMove {
    fileprivate var text: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .past(let id): "past \(id.number)"
        case .to(let id): "to \(id.number)"
        case .nowhere: "nowhere"
        case .failed(let id): "failed \(id.number)"
        }
    }
}

extension ItemQuery {
    fileprivate var text: String {
        var text = ""
        if let contact { text += " @\(contact.number)" }
        if let after { text += " after=\(after.number)" }
        if let since { text += " since=\(since)" }
        if let until { text += " until=\(until)" }
        if isUnread { text += " unread=on" }
        if let count { text += " \(takesOldest ? "first" : "last")=\(count)" }
        if let words { text += ItemQuery.looksLikeOption(words) ? " words=\(words)" : " \(words)" }
        return text
    }
}

extension ItemQuery {
    /// True for words that would be read as an option of the command, such as `unread=on`, or lose a space at their start.
    fileprivate static func looksLikeOption(_ words: String) -> Bool {
        words.hasPrefix("@") || words.hasPrefix(" ") || words.prefix { $0 != " " }.contains("=")
    }
}

extension CommandReader {
    /// Seconds or one of the words of the official core; `none` and `default`.
    fileprivate mutating func retention() throws(DecodeError) -> Retention {
        switch word() {
        case "none": return .unlimited
        case "default": return .standard
        case "day": return .limited(seconds: 86400)
        case "week": return .limited(seconds: 7 * 86400)
        case "month": return .limited(seconds: 30 * 86400)
        case "year": return .limited(seconds: 365 * 86400)
        case let word:
            guard let seconds = Int64(word) else { throw .invalid("time") }
            return .limited(seconds: seconds)
        }
    }

    /// `@4`
    fileprivate mutating func contactID() throws(DecodeError) -> ContactID {
        guard case .reference(.contact(let id)) = try target() else { throw .invalid("contact") }
        return id
    }

    fileprivate mutating func cursorMove() throws(DecodeError) -> CursorMove {
        switch word() {
        case "start": return .start
        case "end": return .end
        case "past": return .past(ChatItemID(try integer()))
        case "to": return .to(ChatItemID(try integer()))
        case "nowhere": return .nowhere
        case "failed": return .failed(ChatItemID(try integer()))
        default: throw .invalid("place")
        }
    }

    fileprivate mutating func query() throws(DecodeError) -> ItemQuery {
        var query = ItemQuery()
        if isName { query.contact = try contactID() }
        if skip("after=") { query.after = ChatItemID(try integer()) }
        if skip("since=") { query.since = try Timestamp(text: word()) }
        if skip("until=") { query.until = try Timestamp(text: word()) }
        query.isUnread = skip("unread=on")
        if skip("first=") {
            query.takesOldest = true
            query.count = try integer()
        } else if skip("last=") {
            query.count = try integer()
        }
        _ = skipExactly("words=")
        let words = rest()
        if !words.isEmpty { query.words = words }
        return query
    }
}
