import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding
import SystemIO

extension LocatedItem: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var item = try fields.object("chatItem")
        try self.init(in: fields.required("chatInfo"), &item)
    }

    /// Reads a `ChatItem` of a chat.
    init(in chat: Chat, _ item: inout JSONFields) throws(DecodeError) {
        self.init(chat: chat, item: try ChatItem(in: chat.reference, from: &item))
    }

    /// `AChatItem` of the API.
    public var fields: JSONObject { ["chatInfo": chat.json, "chatItem": item.json] }
}

extension ChatItem {
    /// Reads a `ChatItem` of a conversation, which is not in it.
    init(in chat: ChatReference, from fields: inout JSONFields) throws(DecodeError) {
        var side = try fields.object("chatDir")
        let direction = try Direction(from: &side)
        var meta = try fields.object("meta")
        var content = try fields.object("content")
        var status = try meta.object("itemStatus")
        var deletion = try meta.optionalObject("itemDeleted")
        var timer = try meta.optionalObject("itemTimed")
        var quote: Quote?, quotedID: Int64?
        let quotedFields = try fields.optionalObject("quotedItem")
        if var quoted = quotedFields {
            quotedID = try quoted.optionalInteger("itemId")
            quote = try Quote(direction, from: &quoted)
        }
        var group: GroupEntry?
        if case .group = chat {
            var entry = GroupEntry(author: try side.optional("groupMember"))
            entry.supportID = try meta.optionalInteger("supportMemberId").map { GroupMemberID($0) }
            entry.forwarder = try meta.optional("forwarder")
            entry.mentions = try [String: GroupEntry.Mention](try fields.optionalObject("mentions")?.rest ?? [:])
            entry.mentionsUser = try meta.optionalBool("userMention") ?? false
            if var deletion {
                let type = try deletion.text("type")
                entry.removal = GroupEntry.Removal(rawValue: type)
                entry.moderator = try deletion.optional("byGroupMember")
            }
            if var quoted = quotedFields {
                var author = try quoted.object("chatDir")
                entry.quotedAuthor = try author.optional("groupMember")
            }
            entry.isFromGroup = try meta.optionalBool("showGroupAsSender") ?? false
            if var verification = try meta.optionalObject("msgVerified") {
                entry.signature = try SignatureStatus(from: &verification)
            }
            group = entry
        }
        var origin = try meta.optionalObject("itemForwarded")
        let isForwarded = origin != nil
        var source: ForwardSource?
        if let kind = origin?.rest["type"], kind != ForwardSource.unknown { source = try origin?.decode() }
        let read = try Content(direction, from: &content)
        let known: Status =
            if let local = ChatItem.localStatus(read, direction, in: chat) { local } else { try Status(from: &status) }
        self.init(
            id: ChatItemID(try meta.integer("itemId")), chat: chat, direction: direction,
            content: read, status: known,
            sharedID: try meta.optionalID("itemSharedMsgId"), time: try meta.timestamp("itemTs"),
            createdAt: try meta.timestamp("createdAt"), quote: quote,
            isForwarded: isForwarded, editedAt: try meta.optionalTimestamp("editedAt"),
            deletedAt: try deletion?.timestamp("deletedTs"), reactions: try fields.list("givenReactions"),
            ttl: try timer?.integer("ttl"), expiresAt: try timer?.optionalTimestamp("deleteAt"),
            isLive: try meta.optionalBool("itemLive"), source: source, quotedID: quotedID.map { ChatItemID($0) },
            group: group, file: try fields.optional("file"))
    }

    /// `ChatItem` of the API.
    var json: JSONValue {
        // Derived from the text, so they are not read.
        let parts = content.messageText.flatMap { FormattedText.parts(of: $0) }
        var fields: JSONObject = [
            "chatDir": direction.json(in: chat, by: group?.author, isFromGroup: group?.isFromGroup ?? false),
            "meta": meta(parts),
            "content": content.json(direction),
            "mentions": group?.mentions.json ?? .object([:]),
        ]
        fields["formattedText"] = parts.map { .array($0.map(\.json)) }
        fields["quotedItem"] = quote?.json(direction, of: quotedID, in: chat, by: group?.quotedAuthor)
        fields["reactions"] = reactions.json
        fields.set("file", file)
        // The counts of the official core do not tell the order in which the other side gave them.
        if !reactions.isEmpty { fields["givenReactions"] = .array(reactions.map(\.json)) }
        return .object(fields)
    }

    /// `CIMeta` of the API.
    ///
    /// - Parameter parts: The formatted text.
    private func meta(_ parts: [FormattedText]?) -> JSONValue {
        var fields: JSONObject = [
            "itemId": .integer(id.number), "itemTs": .string(time.apiText),
            "itemText": .string(content.itemText(direction)),
            // The official core never sends these entries, so they stay new.
            "itemStatus": isLocal ? .object(["type": "sndNew"]) : status.json,
        ]
        fields["itemSharedMsgId"] = sharedID?.json
        if isForwarded { fields["itemForwarded"] = source?.json ?? .object(["type": ForwardSource.unknown]) }
        if let deletedAt {
            var deletion: JSONObject = [
                "type": .string(group?.removal?.rawValue ?? "deleted"), "deletedTs": .string(deletedAt.apiText),
            ]
            if group?.removal == nil { deletion.set("chatType", chat.typeWord) }
            if group?.removal == .moderated { deletion.set("byGroupMember", group?.moderator) }
            fields["itemDeleted"] = .object(deletion)
        }
        fields["itemEdited"] = .bool(editedAt != nil)
        if let ttl {
            var timer: JSONObject = ["ttl": .integer(ttl)]
            timer.set("deleteAt", expiresAt?.apiText)
            fields["itemTimed"] = .object(timer)
        }
        fields.set("itemLive", isLive)
        fields["userMention"] = .bool(group?.mentionsUser ?? false)
        fields["hasLink"] = .bool(hasLink(parts))
        fields.set("forwardedByMember", group?.forwarder?.id.number)
        // The official core tells the number only.
        fields.set("forwarder", group?.forwarder)
        // The official core has it in the chat.
        fields.set("supportMemberId", supportID?.number)
        let isDeletable = isDeletable(at: Timestamp(milliseconds: SystemClock.milliseconds()))
        fields["deletable"] = .bool(isDeletable)
        fields["editable"] = .bool(isDeletable && !isForwarded)
        fields["showGroupAsSender"] = .bool(group?.isFromGroup ?? false)
        // Version 7.0 began with this field.
        fields.set("msgSigned", group?.signature.flatMap { $0 == .missing ? nil : $0 }?.rawValue)
        fields.set("msgVerified", group?.signature)
        fields.set("createdAt", createdAt.apiText)
        fields.set("updatedAt", (deletedAt ?? editedAt ?? createdAt).description)
        // The official core has the versions of a message elsewhere.
        fields.set("editedAt", editedAt?.apiText)
        return .object(fields)
    }
}

extension ChatItem {
    /// True for a message with a link or a name in its text, or with the preview of a page.
    var hasLink: Bool { hasLink(content.messageText.flatMap { FormattedText.parts(of: $0) }) }

    private func hasLink(_ parts: [FormattedText]?) -> Bool {
        content.isLinkPreview || parts?.contains { $0.format?.isLink == true } ?? false
    }

    private var isLocal: Bool { ChatItem.localStatus(content, direction, in: chat) != nil }

    /// The status of an entry that goes to no one else; nil for another entry. The API has such entries as new.
    static func localStatus(_ content: Content, _ direction: Direction, in chat: ChatReference) -> Status? {
        guard direction == .sent else { return nil }
        if case .notes = chat { return .sendReceived(isIntact: true) }
        return switch content {
        case .message, .call, .groupInvitation, .moderated: nil
        default: .sendSent
        }
    }

    /// Whether its author, who is on this side, can take it back for both sides.
    private func isDeletable(at now: Timestamp) -> Bool {
        guard direction == .sent, content.isMessage, deletedAt == nil else { return false }
        if case .notes = chat { return true }
        return now < time + ChatItem.changeLimit
    }
}

extension ChatReference {
    /// `ChatType` of the API.
    fileprivate var typeWord: String {
        switch self {
        case .direct: "direct"
        case .group: "group"
        case .notes: "local"
        }
    }
}

extension ForwardSource: JSONObjectCodable {
    /// The type of `CIForwardedFrom` for what came from others.
    fileprivate static let unknown = JSONValue.string("unknown")

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let reference: ChatReference
        switch try fields.text("type") {
        case "contact": reference = .direct(ContactID(try fields.integer("contactId")))
        case "group": reference = .group(GroupID(try fields.integer("groupId")))
        default: throw .invalid("itemForwarded")
        }
        self.init(
            chat: reference, chatName: try fields.text("chatName"),
            direction: try fields.word("msgDir") { ["snd": .sent, "rcv": .received][$0] },
            item: ChatItemID(try fields.integer("chatItemId")))
    }

    /// `CIForwardedFrom` of the API.
    public var fields: JSONObject {
        var fields: JSONObject =
            if case .group = chat { ["type": "group"] } else { ["type": "contact"] }
        fields.set("chatName", chatName)
        fields.set("msgDir", direction == .sent ? "snd" : "rcv")
        if case .group = chat { fields.set("groupId", chat.number) } else { fields.set("contactId", chat.number) }
        fields.set("chatItemId", item.number)
        return fields
    }
}

extension ChatItem.Content {
    /// The text of a message; nil for other entries.
    fileprivate var messageText: String? {
        guard case .message(let content) = self else { return nil }
        return content.text
    }

    fileprivate var isLinkPreview: Bool {
        guard case .message(let content) = self, case .link = content.kind else { return false }
        return true
    }

    /// What the API calls the text of an entry.
    func itemText(_ direction: ChatItem.Direction) -> String {
        switch self {
        case .message(let content): content.itemText
        case .call(let record):
            (direction == .sent ? "outgoing call: " : "incoming call: ") + record.itemText
        default: plainText
        }
    }

    /// What a message carries besides its text, in words; nil for one that is nothing but text.
    public var attachment: String? {
        guard case .message(let content) = self else { return nil }
        return switch content.kind {
        case .image: "image"
        case .video: "video"
        case .voice: "voice message"
        case .file: "file"
        case .text, .link, .report, .chat, .unknown: nil
        }
    }

    /// What a reader of plain text sees.
    public var plainText: String {
        switch self {
        case .message(let content): content.text
        case .integrity(.skipped(let first, let last)):
            switch last.subtractingSaturated(first).addingSaturated(1) {
            case ...1: "1 message is missing"
            // The contact chooses the numbers. Nobody has sent so many.
            case let count where count > 1_000_000: "more than 1000000 messages are missing"
            case let count: "\(count) messages are missing"
            }
        case .integrity(.badNumber): "a message arrived out of order"
        case .integrity(.badHash): "the message before this one was changed"
        case .integrity(.duplicate): "a message arrived twice"
        case .undecryptable(.message): "a message could not be decrypted"
        case .undecryptable(.ratchet): "messages cannot be decrypted: the encryption is out of sync"
        case .undecryptable(.malformed): "a message could not be read"
        case .contactDeleted: "the contact has deleted you"
        case .queueSwitch(.receiving, let phase): "rotation of your queue: \(phase.word)"
        case .queueSwitch(.sending, let phase): "rotation of their queue: \(phase.word)"
        case .synchronization(.ok): "the encryption works again"
        case .synchronization(.allowed), .synchronization(.required):
            "the encryption is out of sync and must be renegotiated"
        case .synchronization(.started): "renegotiation of the encryption started"
        case .synchronization(.agreed): "the encryption was renegotiated"
        case .securityCodeChanged: "the security code changed: verify it again"
        case .queueRefused: "the relay no longer has the queue of this contact: nothing can be received"
        case .call(let record): record.plainText
        case .profileUpdated: "the contact has changed its profile"
        case .feature(let feature, let effect, let seconds):
            "\(feature.name): \(effect.plainText)" + (effect.own ? seconds.map { " (after \($0) s)" } ?? "" : "")
        case .preference(let feature, .no, _): "no longer offered: \(feature.name)"
        case .preference(let feature, _, let seconds):
            "offered: \(feature.name)" + (seconds.map { " (after \($0) s)" } ?? "")
        case .encryption(true): "end-to-end encrypted with post-quantum keys"
        case .encryption(false): "end-to-end encrypted"
        case .banner: "the conversation begins"
        case .groupInvitation(let invitation):
            "invitation to group \(invitation.profile.displayName) as \(invitation.role.rawValue)"
        case .groupEvent(let notice): notice.plainText
        case .groupFeature(let feature, let setting): "\(feature.name): \(setting.isOn ? "on" : "off")"
        case .groupEncryption(isPublic: true): "not end-to-end encrypted"
        case .groupEncryption: "end-to-end encrypted"
        case .contactInvitation(let profile): "a member of group \(profile.displayName) wants to be a contact"
        case .moderated: "deleted by a moderator"
        case .blocked: "blocked by a moderator"
        case .groupFeatureRejected(let feature): "\(feature.name): not allowed for this member"
        }
    }

    /// `CIContent` of the API.
    func json(_ direction: ChatItem.Direction) -> JSONValue {
        switch self {
        case .message(let content):
            .object([
                "type": direction == .sent ? "sndMsgContent" : "rcvMsgContent", "msgContent": content.json,
            ])
        case .integrity(let problem): .object(["type": "rcvIntegrityError", "msgError": problem.json])
        case .undecryptable(.malformed):
            .object([
                "type": "rcvMsgError",
                // The official core tells what its reader of JSON says, which people cannot use.
                "rcvMsgError": .object(["type": "parseError", "parseError": "malformed"]),
            ])
        case .undecryptable(let problem):
            .object([
                "type": "rcvDecryptionError", "msgDecryptError": .string(problem.word), "msgCount": 1,
            ])
        case .contactDeleted:
            .object(["type": "rcvDirectEvent", "rcvDirectEvent": .object(["type": "contactDeleted"])])
        // The side of the entry tells the queue: this side moves its own.
        case .queueSwitch(_, let phase):
            ChatItem.Content.connectionEvent(
                direction, JSONObject(dictionaryLiteral: ("type", "switchQueue")).merging(phase.fields("phase")))
        case .synchronization(let state):
            ChatItem.Content.connectionEvent(direction, ["type": "ratchetSync", "syncStatus": .string(state.word)])
        case .securityCodeChanged: ChatItem.Content.connectionEvent(direction, ["type": "verificationCodeReset"])
        // The official core has no such entry, and its clients refuse words that they do not know.
        case .queueRefused:
            .object([
                "type": "rcvDecryptionError", "msgDecryptError": "other", "msgCount": 0, "queueRefused": true,
            ])
        case .call(let record):
            .object(
                JSONObject(dictionaryLiteral: ("type", direction == .sent ? "sndCall" : "rcvCall"))
                    .merging(record.fields))
        case .profileUpdated(let former, let profile):
            .object([
                "type": "rcvDirectEvent",
                "rcvDirectEvent": .object([
                    "type": "profileUpdated", "fromProfile": former.json, "toProfile": profile.json,
                ]),
            ])
        case .feature(let feature, let effect, let seconds):
            ChatItem.Content.object(
                direction, "ChatFeature", ["feature": .string(feature.rawValue), "enabled": effect.json], seconds)
        case .preference(let feature, let permission, let seconds):
            ChatItem.Content.object(
                direction, "ChatPreference",
                ["feature": .string(feature.rawValue), "allowed": .string(permission.rawValue)], seconds)
        case .encryption(let isPostQuantum):
            ChatItem.Content.object(
                direction, "DirectE2EEInfo", ["e2eeInfo": .object(["pqEnabled": .bool(isPostQuantum)])])
        case .banner: .object(["type": "chatBanner"])
        case .groupInvitation(let invitation): .object(invitation.content(direction))
        case .groupEvent(let notice):
            direction == .sent
                ? .object(["type": "sndGroupEvent", "sndGroupEvent": notice.json])
                : .object(["type": "rcvGroupEvent", "rcvGroupEvent": notice.json])
        case .groupFeature(let feature, let setting): .object(feature.content(setting, direction))
        case .groupEncryption(let isPublic):
            ChatItem.Content.object(
                direction, "GroupE2EEInfo", ["e2eeInfo": .object([isPublic ? "public" : "pqEnabled": .bool(isPublic)])])
        case .contactInvitation(let profile):
            .object([
                "type": "rcvDirectEvent",
                "rcvDirectEvent": .object(["type": "groupInvLinkReceived", "groupProfile": profile.json]),
            ])
        case .moderated: .object(["type": direction == .sent ? "sndModerated" : "rcvModerated"])
        case .blocked: .object(["type": "rcvBlocked"])
        case .groupFeatureRejected(let feature):
            .object(["type": "rcvGroupFeatureRejected", "groupFeature": .string(feature.rawValue)])
        }
    }

    /// A `CIContent` whose type tells the direction, with the seconds of a feature.
    private static func object(
        _ direction: ChatItem.Direction, _ type: String, _ fields: JSONObject, _ seconds: Int64? = nil
    ) -> JSONValue {
        var object: JSONObject = ["type": .string((direction == .sent ? "snd" : "rcv") + type)]
        object = object.merging(fields)
        object.set("param", seconds)
        return .object(object)
    }

    /// Reads a `CIContent`.
    init(_ direction: ChatItem.Direction, from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "sndMsgContent", "rcvMsgContent": self = .message(try fields.required("msgContent"))
        case "sndModerated", "rcvModerated": self = .moderated
        case "rcvBlocked": self = .blocked
        case "rcvGroupFeatureRejected":
            self = .groupFeatureRejected(try fields.word("groupFeature", GroupPreferences.Feature.init(rawValue:)))
        case "rcvIntegrityError":
            var problem = try fields.object("msgError")
            self = .integrity(try ChatItem.IntegrityProblem(from: &problem))
        case "rcvDecryptionError":
            let problem = try fields.word("msgDecryptError", ChatItem.DecryptionProblem.init(word:))
            self = try fields.optionalBool("queueRefused") == true ? .queueRefused : .undecryptable(problem)
        case "rcvMsgError": self = .undecryptable(.malformed)
        case "rcvDirectEvent":
            var event = try fields.object("rcvDirectEvent")
            switch try event.text("type") {
            case "contactDeleted": self = .contactDeleted
            case "profileUpdated":
                self = .profileUpdated(from: try event.required("fromProfile"), to: try event.required("toProfile"))
            case "groupInvLinkReceived": self = .contactInvitation(try event.required("groupProfile"))
            default: throw .invalid("rcvDirectEvent")
            }
        case "sndConnEvent":
            var event = try fields.object("sndConnEvent")
            self = try ChatItem.Content(event: &event, .sent)
        case "rcvConnEvent":
            var event = try fields.object("rcvConnEvent")
            self = try ChatItem.Content(event: &event, .received)
        case "sndCall", "rcvCall": self = .call(try CallRecord(from: &fields))
        case "sndChatFeature", "rcvChatFeature":
            var effect = try fields.object("enabled")
            self = .feature(
                try fields.word("feature", Preferences.Feature.init(rawValue:)), try Preferences.Effect(from: &effect),
                seconds: try fields.optionalInteger("param"))
        case "sndChatPreference", "rcvChatPreference":
            self = .preference(
                try fields.word("feature", Preferences.Feature.init(rawValue:)),
                try fields.word("allowed", Preferences.Permission.init(rawValue:)),
                seconds: try fields.optionalInteger("param"))
        case "sndDirectE2EEInfo", "rcvDirectE2EEInfo":
            var encryption = try fields.object("e2eeInfo")
            self = .encryption(isPostQuantum: try encryption.bool("pqEnabled"))
        case "chatBanner": self = .banner
        case "sndGroupInvitation", "rcvGroupInvitation":
            self = .groupInvitation(try GroupInvitationNotice(content: &fields))
        case "sndGroupEvent": self = .groupEvent(try fields.required("sndGroupEvent"))
        case "rcvGroupEvent": self = .groupEvent(try fields.required("rcvGroupEvent"))
        case "sndGroupFeature", "rcvGroupFeature":
            let (feature, setting) = try GroupPreferences.Feature.decode(content: &fields)
            self = .groupFeature(feature, setting)
        case "sndGroupE2EEInfo", "rcvGroupE2EEInfo":
            var information = try fields.object("e2eeInfo")
            self = .groupEncryption(isPublic: try information.optionalBool("public") ?? false)
        default: throw .invalid("content")
        }
    }

    /// `RcvConnEvent` or `SndConnEvent` of the API.
    private static func connectionEvent(_ direction: ChatItem.Direction, _ event: JSONObject) -> JSONValue {
        direction == .sent
            ? .object(["type": "sndConnEvent", "sndConnEvent": .object(event)])
            : .object(["type": "rcvConnEvent", "rcvConnEvent": .object(event)])
    }

    /// Reads a `RcvConnEvent` or `SndConnEvent`.
    private init(event fields: inout JSONFields, _ direction: ChatItem.Direction) throws(DecodeError) {
        switch try fields.text("type") {
        case "switchQueue":
            self = .queueSwitch(direction == .sent ? .receiving : .sending, try SwitchPhase("phase", from: &fields))
        case "ratchetSync":
            self = .synchronization(try fields.word("syncStatus", RatchetSynchronization.init(word:)))
        case "verificationCodeReset": self = .securityCodeChanged
        default: throw .invalid("event")
        }
    }
}

extension SignatureStatus: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case SignatureStatus.missing.rawValue: self = .missing
        case "signed": self = try fields.word("sigStatus", SignatureStatus.init(rawValue:))
        default: throw .invalid("type")
        }
    }

    /// `MsgVerified` of the API.
    public var fields: JSONObject {
        self == .missing ? ["type": .string(rawValue)] : ["type": "signed", "sigStatus": .string(rawValue)]
    }
}

extension GroupPreferences.Feature {
    /// What people call it.
    var name: String {
        switch self {
        case .timedMessages: "disappearing messages"
        case .directMessages: "direct messages"
        case .fullDelete: "full deletion"
        case .reactions: "reactions"
        case .voice: "voice messages"
        case .files: "files and media"
        case .simplexLinks: "SimpleX links"
        case .reports: "reports"
        case .history: "history"
        case .support: "support chats"
        case .sessions: "sessions"
        case .comments: "comments"
        case .signMessages: "signatures of all messages"
        }
    }

    /// What the official core calls it.
    var officialName: String {
        switch self {
        case .timedMessages: "Disappearing messages"
        case .directMessages: "Direct messages"
        case .fullDelete: "Full deletion"
        case .reactions: "Message reactions"
        case .voice: "Voice messages"
        case .files: "Files and media"
        case .simplexLinks: "SimpleX links"
        case .reports: "Member reports"
        case .history: "Recent history"
        case .support: "Chat with admins"
        case .sessions: "Chat sessions"
        case .comments: "Comments"
        case .signMessages: "Sign messages"
        }
    }
}

extension JSONFields {
    /// Reads what is left.
    fileprivate mutating func decode() throws(DecodeError) -> ForwardSource { try ForwardSource(from: &self) }
}

extension MessageContent {
    /// The text, or what there is instead.
    fileprivate var itemText: String {
        switch kind {
        case .voice(let seconds):
            ["voice message \(CallRecord.clock(seconds))", text].filter { !$0.isEmpty }.joined(separator: "; ")
        case .report(let reason):
            ["report \(reason.rawValue)", text].filter { !$0.isEmpty }.joined(separator: ": ")
        case .text, .link, .image, .video, .file, .chat, .unknown: text
        }
    }
}

extension Preferences.Effect: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(own: try fields.bool("forUser"), other: try fields.bool("forContact"))
    }

    /// `PrefEnabled` of the API.
    public var fields: JSONObject { ["forUser": .bool(own), "forContact": .bool(other)] }

    /// The same in words.
    fileprivate var plainText: String {
        switch (own, other) {
        case (true, true): "allowed"
        case (true, false): "allowed for you"
        case (false, true): "allowed for the contact"
        case (false, false): "not allowed"
        }
    }
}

extension CallRecord {
    /// What the API calls the text of a call.
    fileprivate var itemText: String {
        switch state {
        case .pending: "calling..."
        case .missed: "missed"
        case .rejected: "rejected"
        case .accepted: "accepted"
        case .negotiated: "connecting..."
        case .progress: "in progress \(CallRecord.clock(duration))"
        case .ended: "ended \(CallRecord.clock(duration))"
        case .error: "error"
        }
    }

    /// `(01:05)`
    fileprivate static func clock(_ seconds: Int64) -> String {
        let seconds = max(0, seconds)
        let parts = [seconds / 60, seconds % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        return "(\(parts.joined(separator: ":")))"
    }
}

extension CallRecord: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            try fields.word("media", CallMedia.init(rawValue:)), try fields.word("status", State.init(rawValue:)),
            id: try fields.requiredID("callId"), canEncrypt: try fields.optionalBool("encryption") ?? true,
            duration: try fields.integer("duration"),
            key: try fields.optionalText("callDhPubKey"), begunAt: try fields.optionalTimestamp("callStartedAt"))
    }

    /// The fields of a call in `CIContent` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["status": .string(state.rawValue), "duration": .integer(duration)]
        // The official core has these elsewhere.
        fields.set("media", media.rawValue)
        fields.set("encryption", canEncrypt)
        fields["callId"] = id.json
        fields.set("callDhPubKey", key)
        fields.set("callStartedAt", begunAt?.apiText)
        return fields
    }
}

extension ChatItem.IntegrityProblem {
    /// `MsgErrorType` of the API.
    fileprivate var json: JSONValue {
        switch self {
        case .skipped(let first, let last):
            .object(["type": "msgSkipped", "fromMsgId": .integer(first), "toMsgId": .integer(last)])
        case .badNumber(let number): .object(["type": "msgBadId", "msgId": .integer(number)])
        case .badHash: .object(["type": "msgBadHash"])
        case .duplicate: .object(["type": "msgDuplicate"])
        }
    }

    fileprivate init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "msgSkipped":
            self = .skipped(from: try fields.integer("fromMsgId"), to: try fields.integer("toMsgId"))
        case "msgBadId": self = .badNumber(try fields.integer("msgId"))
        case "msgBadHash": self = .badHash
        case "msgDuplicate": self = .duplicate
        default: throw .invalid("msgError")
        }
    }
}

extension ChatItem.DecryptionProblem {
    /// `MsgDecryptError` of the API.
    fileprivate var word: String {
        switch self {
        case .message: "ratchetEarlier"
        case .ratchet: "ratchetHeader"
        case .malformed: "other"
        }
    }

    fileprivate init?(word: String) {
        switch word {
        case "ratchetEarlier": self = .message
        case "ratchetHeader": self = .ratchet
        case "other": self = .malformed
        default: return nil
        }
    }
}

extension ChatItem.Status {
    /// `CIStatus` of the API.
    fileprivate var json: JSONValue {
        switch self {
        case .sendNew: .object(["type": "sndNew"])
        case .sendWarning(let problem): .object(["type": "sndWarning", "agentError": problem.json])
        case .sendSent: .object(["type": "sndSent", "sndProgress": "complete"])
        case .sendSentPartly: .object(["type": "sndSent", "sndProgress": "partial"])
        case .sendReceivedPartly(let isIntact):
            .object([
                "type": "sndRcvd", "msgRcptStatus": isIntact ? "ok" : "badMsgHash", "sndProgress": "partial",
            ])
        case .sendUnconfirmed: .object(["type": "sndSent", "sndProgress": "complete", "unconfirmed": true])
        case .sendReceived(let isIntact):
            .object([
                "type": "sndRcvd", "msgRcptStatus": isIntact ? "ok" : "badMsgHash", "sndProgress": "complete",
            ])
        case .sendErrorAuthorization: .object(["type": "sndErrorAuth"])
        case .sendError(let problem): .object(["type": "sndError", "agentError": problem.json])
        case .receivedNew: .object(["type": "rcvNew"])
        case .receivedRead: .object(["type": "rcvRead"])
        }
    }

    fileprivate init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "sndNew": self = .sendNew
        case "sndWarning":
            var problem = try fields.object("agentError")
            self = .sendWarning(try ChatItem.SendProblem(from: &problem))
        case "sndSent":
            if try fields.text("sndProgress") == "partial" {
                self = .sendSentPartly
            } else {
                self = try fields.optionalBool("unconfirmed") == true ? .sendUnconfirmed : .sendSent
            }
        case "sndRcvd":
            let isIntact = try fields.word("msgRcptStatus") { ["ok": true, "badMsgHash": false][$0] }
            self =
                try fields.text("sndProgress") == "partial"
                ? .sendReceivedPartly(isIntact: isIntact) : .sendReceived(isIntact: isIntact)
        case "sndErrorAuth": self = .sendErrorAuthorization
        case "sndError":
            var problem = try fields.object("agentError")
            self = .sendError(try ChatItem.SendProblem(from: &problem))
        case "rcvNew": self = .receivedNew
        case "rcvRead": self = .receivedRead
        default: throw .invalid("itemStatus")
        }
    }
}

extension ChatItem.SendProblem {
    /// `SndError` of the API.
    fileprivate var json: JSONValue {
        switch self {
        case .expired: .object(["type": "expired"])
        case .quota: .object(["type": "quota"])
        case .host, .version: .object(["type": "relay", "srvError": .object(["type": .string(rawValue)])])
        case .blocked, .other: .object(["type": "other", "sndError": .string(rawValue)])
        }
    }

    fileprivate init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "expired": self = .expired
        case "quota": self = .quota
        case "relay":
            var relay = try fields.object("srvError")
            self = try relay.word("type", ChatItem.SendProblem.init(rawValue:))
        case "other": self = try fields.word("sndError", ChatItem.SendProblem.init(rawValue:))
        default: throw .invalid("agentError")
        }
    }
}
