import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// Contents and states of entries as the official database has them.
///
/// A content is an object with one field, whose name is the kind. The API of the same program names the kind in a field
/// `type` instead, so that form is made first.
enum OfficialContent {
    /// Kinds with another object of this form in the field of the same name, or in `msgError`.
    private static let nested = [
        "rcvDirectEvent": "rcvDirectEvent", "rcvGroupEvent": "rcvGroupEvent", "sndGroupEvent": "sndGroupEvent",
        "rcvConnEvent": "rcvConnEvent", "sndConnEvent": "sndConnEvent", "rcvIntegrityError": "msgError",
    ]

    /// Reads a content; nil for a kind that this program does not have.
    ///
    /// - Throws: ``DecodeError`` if it is no content at all.
    static func content(
        _ text: String, _ direction: ChatItem.Direction
    ) throws(DecodeError) -> ChatItem.Content? {
        guard let (kind, body) = single(try JSONValue(decoding: Bytes(text.utf8))) else { throw .invalid("content") }
        var fields = body
        if let name = nested[kind], let (inner, innerBody) = single(fields[name] ?? .null) {
            var event = innerBody
            event.set("type", inner)
            // The official program does not say whose queue it is: the own one if this side began.
            if inner == "switchQueue" { event.set("queueDirection", direction == .sent ? "rcv" : "snd") }
            fields[name] = .object(event)
        }
        if var encryption = fields["e2eeInfo"]?.object, encryption["pqEnabled"]?.bool == nil {
            encryption["pqEnabled"] = false
            fields["e2eeInfo"] = .object(encryption)
        }
        fields.set("type", kind)
        var reader = JSONFields(fields)
        return try? ChatItem.Content(direction, from: &reader)
    }

    /// Reads a call; nil for another kind.
    ///
    /// - Parameter message: The message that began it, which names what the entry does not.
    static func call(_ text: String, message: Bytes?) -> CallRecord? {
        guard let (kind, body) = (try? JSONValue(decoding: Bytes(text.utf8))).flatMap(single),
            ["sndCall", "rcvCall"].contains(kind), let state = body["status"]?.string.flatMap(CallRecord.State.init)
        else { return nil }
        let parameters = message.flatMap { try? JSONValue(decoding: $0).object?["params"]?.object }
        let invitation = parameters.flatMap { $0["invitation"]?.object.map(JSONFields.init) }
        var known: CallInvitation?
        if var invitation { known = try? CallInvitation(from: &invitation) }
        let id = (parameters?["callId"]?.string).flatMap { try? Base64URL.decode($0) } ?? []
        let unknown: Bytes = [0]
        // No call survives the move.
        let after: CallRecord.State =
            switch state {
            case .pending: .missed
            case .accepted, .negotiated, .progress: .ended
            case .missed, .rejected, .ended, .error: state
            }
        return CallRecord(
            known?.type.media ?? .audio, after, id: SharedMessageID((1...255).contains(id.count) ? id : unknown),
            canEncrypt: known?.type.canEncrypt ?? true, duration: max(0, body["duration"]?.integer ?? 0))
    }

    /// The name and the value of the only field.
    private static func single(_ value: JSONValue) -> (String, JSONObject)? {
        guard let object = value.object, let name = object.names.first, object.names.count == 1 else { return nil }
        // A kind without values has an empty array.
        return (name, object[name]?.object ?? [:])
    }

    /// Reads the state of an entry. What is no state that this program has becomes the nearest one.
    static func status(_ text: String, _ direction: ChatItem.Direction) -> ChatItem.Status {
        if let status = ChatItem.Status(text: text), !text.isEmpty, status.isReceived == (direction == .received) {
            return status
        }
        guard direction == .sent else { return .receivedRead }
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("snd_sent", _): return .sendSent
        case ("snd_error", "auth"): return .sendErrorAuthorization
        case ("snd_error", let word): return .sendError(problem(word, words))
        case ("snd_warning", let word): return .sendWarning(problem(word, words))
        default: return .sendError(.other)
        }
    }

    private static func problem(_ word: String?, _ words: [String]) -> ChatItem.SendProblem {
        switch word {
        case "quota": .quota
        case "expired": .expired
        default: words.contains("host") ? .host : words.contains("version") ? .version : .other
        }
    }

    /// Reads the state of a message at one member of a group.
    static func delivery(_ text: String) -> MemberDelivery {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("snd_new", _), ("snd_warning", _): return .new
        case ("snd_forwarded", _): return .forwarded
        case ("snd_inactive", _): return .inactive
        case ("snd_sent", _): return .sent
        case ("snd_rcvd", "ok"): return .received
        case ("snd_rcvd", _): return .receivedAltered
        default: return .error
        }
    }

    /// Reads the state of a file.
    static func fileState(_ text: String, isSent: Bool) -> FileState {
        switch text.prefix(while: { $0 != " " }) {
        case "snd_stored", "snd_transfer", "snd_warning": .sentStored
        case "snd_cancelled": .sentCancelled
        case "snd_complete": .sentComplete
        case "rcv_invitation": .offered
        case "rcv_accepted", "rcv_transfer", "rcv_warning": .accepted
        case "rcv_aborted": .aborted
        case "rcv_complete": .received
        case "rcv_cancelled": .receivedCancelled
        default: isSent ? .sentError(.other("unknown")) : .receivedError(.other("unknown"))
        }
    }
}
