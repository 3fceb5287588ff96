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
            if inner == "switchQueue", event["queueDirection"] == nil {
                event.set("queueDirection", direction == .sent ? "rcv" : "snd")
            }
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
        case "other": words.contains("blocked") ? .blocked : .other
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

// MARK: - Writing

extension OfficialContent {
    /// Returns a content with the name of its kind; nil for one that the official program does not have.
    static func text(
        _ content: ChatItem.Content, _ direction: ChatItem.Direction, for version: OfficialVersion = .newest
    ) -> (text: String, tag: String)? {
        if version == .version6, isNewerThanVersion6(content) { return nil }
        // The official program has no phase for a rotation that was given up.
        if case .queueSwitch(_, .aborted) = content { return nil }
        guard var fields = content.json(direction).object, let kind = fields["type"]?.string,
            kind.hasPrefix("rcv") == (direction == .received)
        else { return nil }
        fields["type"] = nil
        if let name = nested[kind], var event = fields[name]?.object, let inner = event["type"]?.string {
            event["type"] = nil
            fields[name] = .object([inner: .object(event)])
        }
        return (JSONValue.object([kind: .object(fields)]).line, kind)
    }

    /// True for contents that apps of 6.4 show as damaged.
    private static func isNewerThanVersion6(_ content: ChatItem.Content) -> Bool {
        switch content {
        case .groupFeature(.support, _), .groupFeature(.comments, _), .groupFeature(.signMessages, _),
            .groupFeatureRejected(.support), .groupFeatureRejected(.comments), .groupFeatureRejected(.signMessages),
            .undecryptable(.malformed), .groupEvent(.badSignature):
            true
        default: false
        }
    }

    /// The kind of a message.
    static func tag(of content: MessageContent) -> String { content.json.object?["type"]?.string ?? "text" }

    /// Returns the words of a state.
    static func text(_ status: ChatItem.Status) -> String {
        switch status {
        case .sendUnconfirmed: ChatItem.Status.sendSent.text
        case .sendWarning(let problem): "snd_warning \(words(problem))"
        case .sendError(let problem): "snd_error \(words(problem))"
        case .sendErrorAuthorization: "snd_error auth"
        case .sendNew, .sendSent, .sendSentPartly, .sendReceivedPartly, .sendReceived, .receivedNew, .receivedRead:
            status.text
        }
    }

    private static func words(_ problem: ChatItem.SendProblem) -> String {
        switch problem {
        case .quota: "quota"
        case .expired: "expired"
        case .host: "relay host"
        case .version: "relay version"
        case .blocked, .other: "other \(problem.rawValue)"
        }
    }

    /// Returns the words for the state of a message at one member of a group.
    static func text(_ delivery: MemberDelivery) -> String {
        switch delivery {
        case .owed, .pending, .new, .withdrawn: "snd_new"
        case .forwarded: "snd_forwarded"
        case .inactive: "snd_inactive"
        case .sent: "snd_sent complete"
        case .received: "snd_rcvd ok complete"
        case .receivedAltered: "snd_rcvd badMsgHash complete"
        case .error: "snd_error auth"
        }
    }

    /// Returns the words for the state of a file.
    static func text(_ state: FileState) -> String {
        switch state {
        case .sentStored: "snd_stored"
        case .sending(let done, let total): "snd_transfer \(done) \(total)"
        case .sentCancelled: "snd_cancelled"
        case .sentComplete: "snd_complete"
        case .sentError(let problem): "snd_error \(words(problem))"
        case .sentWarning(let problem): "snd_warning \(words(problem))"
        case .offered: "rcv_invitation"
        case .accepted: "rcv_accepted"
        case .receiving(let done, let total): "rcv_transfer \(done) \(total)"
        case .aborted: "rcv_aborted"
        case .received: "rcv_complete"
        case .receivedCancelled: "rcv_cancelled"
        case .receivedError(let problem): "rcv_error \(words(problem))"
        case .receivedWarning(let problem): "rcv_warning \(words(problem))"
        }
    }

    private static func words(_ problem: FileProblem) -> String {
        switch problem {
        case .gone: "auth"
        case .noFile: "no_file"
        case .relay(let reason): "relay other \(reason)"
        case .blocked(_, let reason): "other blocked: \(reason)"
        case .other(let code): "other \(code)"
        }
    }

    // MARK: - Profiles

    // The official program refuses a whole contact if one of these cannot be read.

    /// Returns the text of an address; nil for another link.
    static func contactLink(_ text: String) -> String? {
        switch try? ConnectionLink(text: text) {
        case .full(.contact)?, .short?: text
        default: nil
        }
    }

    /// Returns the role; nil for one that the official program does not have.
    static func role(_ role: String) -> String? {
        ["owner", "admin", "moderator", "member", "author", "observer"].contains(role) ? role : nil
    }

    /// Returns preferences without what the official program cannot read; nil for none.
    static func preferences(_ value: JSONValue?) -> String? {
        guard let object = value?.object else { return nil }
        return readable(object) { setting in
            guard let allow = setting["allow"]?.string else { return false }
            return ["always", "yes", "no"].contains(allow)
        }
    }

    /// Returns the preferences of a group without what the official program cannot read; nil for none.
    static func groupPreferences(_ value: JSONValue?) -> String? {
        guard let object = value?.object else { return nil }
        return readable(object) { setting in
            guard let enable = setting["enable"]?.string, ["on", "off"].contains(enable) else { return false }
            return setting["role"].map { $0.string.flatMap(role) != nil } ?? true
        }
    }

    private static func readable(_ object: JSONObject, _ isReadable: (JSONObject) -> Bool) -> String {
        var kept: JSONObject = [:]
        for name in object.names {
            if let setting = object[name]?.object {
                let seconds = setting["ttl"]
                if isReadable(setting), seconds == nil || seconds?.integer != nil { kept[name] = .object(setting) }
            } else if name == "commands", object[name]?.array != nil {
                kept[name] = object[name]
            }
        }
        return kept.line
    }
}
