import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

extension LocatedItem {
    /// `AChatItem` of the API.
    var json: JSONValue { .object(["chatInfo": contact.chatInfo, "chatItem": item.json]) }
}

extension ChatItem {
    /// `ChatItem` of the API.
    var json: JSONValue {
        var fields: JSONObject = [
            "chatDir": direction.json, "meta": meta, "content": content.json(direction), "mentions": .object([:]),
        ]
        fields["quotedItem"] = quote?.json(direction)
        fields["reactions"] = reactions.json
        return .object(fields)
    }

    /// `CIMeta` of the API.
    private var meta: JSONValue {
        var fields: JSONObject = [
            "itemId": .integer(id.number), "itemTs": .string(time.description), "itemText": .string(content.plainText),
            "itemStatus": status.json,
        ]
        fields.set("itemSharedMsgId", sharedID.map { Base64URL.encode($0.bytes) })
        if isForwarded { fields["itemForwarded"] = .object(["type": "unknown"]) }
        if let deletedAt {
            fields["itemDeleted"] = .object(["type": "deleted", "deletedTs": .string(deletedAt.description)])
        }
        fields["itemEdited"] = .bool(editedAt != nil)
        if let ttl {
            var timer: JSONObject = ["ttl": .integer(ttl)]
            timer.set("deleteAt", expiresAt?.description)
            fields["itemTimed"] = .object(timer)
        }
        fields["userMention"] = false
        fields["deletable"] = false
        fields["editable"] = false
        fields["showGroupAsSender"] = false
        fields.set("createdAt", createdAt.description)
        fields.set("updatedAt", (deletedAt ?? editedAt ?? createdAt).description)
        return .object(fields)
    }
}

extension ChatItem.Content {
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
        case .integrity(.badNumber): "a message came out of order"
        case .integrity(.badHash): "the message before this one was changed"
        case .integrity(.duplicate): "a message came twice"
        case .undecryptable(.message): "a message could not be decrypted"
        case .undecryptable(.ratchet): "messages cannot be decrypted: the encryption is out of step"
        case .undecryptable(.malformed): "a message could not be read"
        case .contactDeleted: "the contact has deleted you"
        case .queueSwitch(.receiving, let phase): "your queue is being moved: \(phase.word)"
        case .queueSwitch(.sending, let phase): "the contact moves its queue: \(phase.word)"
        case .synchronization(.ok): "the encryption works again"
        case .synchronization(.allowed), .synchronization(.required):
            "the encryption is out of step: it has to be agreed on anew"
        case .synchronization(.started): "a new encryption was asked for"
        case .synchronization(.agreed): "a new encryption was agreed on"
        case .securityCodeChanged: "the security code has changed: compare it again"
        case .queueRefused: "the relay has no queue for this contact any more: nothing can be received"
        case .call(let record): record.plainText
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
        case .undecryptable(let problem):
            .object([
                "type": "rcvDecryptionError", "msgDecryptError": problem.json, "msgCount": 1,
            ])
        case .contactDeleted:
            .object(["type": "rcvDirectEvent", "rcvDirectEvent": .object(["type": "contactDeleted"])])
        case .queueSwitch(_, let phase):
            ChatItem.Content.connectionEvent(direction, ["type": "switchQueue", "phase": .string(phase.word)])
        case .synchronization(let state):
            ChatItem.Content.connectionEvent(direction, ["type": "ratchetSync", "syncStatus": .string(state.word)])
        case .securityCodeChanged: ChatItem.Content.connectionEvent(direction, ["type": "verificationCodeReset"])
        case .queueRefused: ChatItem.Content.connectionEvent(direction, ["type": "queueRefused"])
        case .call(let record):
            .object([
                "type": direction == .sent ? "sndCall" : "rcvCall", "status": .string(record.state.rawValue),
                "duration": .integer(record.duration),
            ])
        }
    }
}

extension ChatItem.Content {
    /// `RcvConnEvent` or `SndConnEvent` of the API.
    fileprivate static func connectionEvent(_ direction: ChatItem.Direction, _ event: JSONObject) -> JSONValue {
        direction == .sent
            ? .object(["type": "sndConnEvent", "sndConnEvent": .object(event)])
            : .object(["type": "rcvConnEvent", "rcvConnEvent": .object(event)])
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
}

extension ChatItem.DecryptionProblem {
    /// `MsgDecryptError` of the API.
    fileprivate var json: JSONValue {
        switch self {
        case .message: "ratchetEarlier"
        case .ratchet: "ratchetHeader"
        case .malformed: "other"
        }
    }
}

extension ChatItem.Status {
    /// `CIStatus` of the API.
    fileprivate var json: JSONValue {
        switch self {
        case .sendNew: .object(["type": "sndNew"])
        case .sendWarning(let problem): .object(["type": "sndWarning", "agentError": problem.json])
        case .sendSent, .sendUnconfirmed: .object(["type": "sndSent", "sndProgress": "complete"])
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
}
