import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

extension ChatItem.Status {
    /// The words of the official database.
    private static let words: [(ChatItem.Status, String)] = [
        (.sendNew, "snd_new"), (.sendSent, "snd_sent complete"),
        (.sendSentPartly, "snd_sent partial"), (.sendReceivedPartly(isIntact: true), "snd_rcvd ok partial"),
        (.sendReceivedPartly(isIntact: false), "snd_rcvd badMsgHash partial"),
        (.sendUnconfirmed, "snd_sent unconfirmed"),
        (.sendReceived(isIntact: true), "snd_rcvd ok complete"),
        (.sendReceived(isIntact: false), "snd_rcvd badMsgHash complete"), (.sendErrorAuthorization, "snd_error_auth"),
        (.receivedNew, "rcv_new"), (.receivedRead, "rcv_read"),
    ]
    private static let warning = "snd_warning ", error = "snd_error "

    var text: String {
        switch self {
        case .sendWarning(let problem): ChatItem.Status.warning + problem.rawValue
        case .sendError(let problem): ChatItem.Status.error + problem.rawValue
        default: ChatItem.Status.words.first { $0.0 == self }?.1 ?? ""
        }
    }

    init?(text: String) {
        func problem(_ beginning: String) -> ChatItem.SendProblem? {
            text.hasPrefix(beginning) ? ChatItem.SendProblem(rawValue: String(text.dropFirst(beginning.count))) : nil
        }
        if let problem = problem(ChatItem.Status.warning) {
            self = .sendWarning(problem)
            return
        }
        if let problem = problem(ChatItem.Status.error) {
            self = .sendError(problem)
            return
        }
        // Earlier versions wrote some of these as an empty text.
        if text.isEmpty {
            self = .sendError(.other)
            return
        }
        guard let status = ChatItem.Status.words.first(where: { $0.1 == text })?.0 else { return nil }
        self = status
    }
}

extension ChatItem.Content {
    /// Which case it is.
    var kind: String {
        switch self {
        case .message: "message"
        case .integrity: "integrity"
        case .undecryptable: "undecryptable"
        case .contactDeleted: "contact-deleted"
        case .queueSwitch: "queue-switch"
        case .synchronization: "synchronization"
        case .securityCodeChanged: "security-code-changed"
        case .queueRefused: "queue-refused"
        case .call: "call"
        case .profileUpdated: "profile-updated"
        case .feature: "feature"
        case .preference: "preference"
        case .encryption: "encryption"
        case .banner: "banner"
        case .groupInvitation: "group-invitation"
        case .groupEvent: "group-event"
        case .groupFeature: "group-feature"
        case .groupEncryption: "group-encryption"
        case .contactInvitation: "contact-invitation"
        case .moderated: "moderated"
        case .blocked: "blocked"
        case .groupFeatureRejected: "group-feature-rejected"
        }
    }

    /// What is in it: JSON for messages, words for the rest.
    var text: String {
        switch self {
        case .message(let content): content.json.line
        case .integrity(.skipped(let first, let last)): "skipped \(first) \(last)"
        case .integrity(.badNumber(let number)): "number \(number)"
        case .integrity(.badHash): "hash"
        case .integrity(.duplicate): "duplicate"
        case .undecryptable(let problem): problem.rawValue
        case .queueSwitch(let direction, let phase): "\(direction.rawValue) \(phase.rawValue)"
        case .synchronization(let state): "\(state.rawValue)"
        case .call(let record): record.text
        case .profileUpdated(let former, let profile): JSONValue.object(["from": former.json, "to": profile.json]).line
        case .feature(let feature, let effect, let seconds):
            "\(feature.rawValue) \(effect.own) \(effect.other)" + (seconds.map { " \($0)" } ?? "")
        case .preference(let feature, let permission, let seconds):
            "\(feature.rawValue) \(permission.rawValue)" + (seconds.map { " \($0)" } ?? "")
        case .encryption(let isPostQuantum): "\(isPostQuantum)"
        case .groupInvitation(let invitation): invitation.json.line
        case .groupEvent(let notice): notice.json.line
        case .groupFeature(let feature, let setting):
            GroupPreferences([feature.rawValue: .object(setting.fields)]).json.line
        case .contactInvitation(let profile): profile.json.line
        case .groupFeatureRejected(let feature): feature.rawValue
        case .groupEncryption(let isPublic): isPublic ? "public" : ""
        case .contactDeleted, .securityCodeChanged, .queueRefused, .banner, .moderated, .blocked: ""
        }
    }

    init?(kind: String, text: String) {
        switch kind {
        case "message":
            guard let content = try? MessageContent(decoding: Bytes(text.utf8)) else { return nil }
            self = .message(content)
        case "integrity":
            guard let problem = ChatItem.IntegrityProblem(words: text.split(separator: " ")) else { return nil }
            self = .integrity(problem)
        case "undecryptable":
            guard let problem = ChatItem.DecryptionProblem(rawValue: text) else { return nil }
            self = .undecryptable(problem)
        case "contact-deleted": self = .contactDeleted
        case "queue-switch":
            let codes = text.split(separator: " ").compactMap { UInt8($0) }
            guard codes.count == 2, let direction = QueueDirection(rawValue: codes[0]),
                let phase = SwitchPhase(rawValue: codes[1])
            else { return nil }
            self = .queueSwitch(direction, phase)
        case "synchronization":
            guard let state = Int64(text).flatMap(RatchetSynchronization.init(rawValue:)) else { return nil }
            self = .synchronization(state)
        case "security-code-changed": self = .securityCodeChanged
        case "queue-refused": self = .queueRefused
        case "call":
            guard let record = CallRecord(text: text) else { return nil }
            self = .call(record)
        case "profile-updated":
            guard var fields = try? JSONFields(decoding: Bytes(text.utf8)),
                let former: Profile = try? fields.required("from"), let profile: Profile = try? fields.required("to")
            else { return nil }
            self = .profileUpdated(from: former, to: profile)
        case "feature", "preference":
            guard let content = ChatItem.Content(kind, words: text.split(separator: " ").map(String.init)) else {
                return nil
            }
            self = content
        case "encryption":
            guard let isPostQuantum = Bool(text) else { return nil }
            self = .encryption(isPostQuantum: isPostQuantum)
        case "banner": self = .banner
        case "group-invitation":
            guard let invitation = try? GroupInvitationNotice(decoding: Bytes(text.utf8)) else { return nil }
            self = .groupInvitation(invitation)
        case "group-event":
            guard let notice = try? GroupNotice(decoding: Bytes(text.utf8)) else { return nil }
            self = .groupEvent(notice)
        case "group-feature":
            guard let preferences = try? GroupPreferences(decoding: Bytes(text.utf8)),
                let feature = GroupPreferences.Feature.allCases.first(where: { preferences[$0] != nil }),
                let setting = preferences[feature]
            else { return nil }
            self = .groupFeature(feature, setting)
        case "group-encryption": self = .groupEncryption(isPublic: text == "public")
        case "contact-invitation":
            guard let profile = try? GroupProfile(decoding: Bytes(text.utf8)) else { return nil }
            self = .contactInvitation(profile)
        case "moderated": self = .moderated
        case "blocked": self = .blocked
        case "group-feature-rejected":
            guard let feature = GroupPreferences.Feature(rawValue: text) else { return nil }
            self = .groupFeatureRejected(feature)
        default: return nil
        }
    }
}

extension ChatItem.Content {
    /// What stands in the words of a feature or a preference.
    fileprivate init?(_ kind: String, words: [String]) {
        guard words.count >= 2, let feature = Preferences.Feature(rawValue: words[0]) else { return nil }
        switch kind {
        case "feature":
            guard words.count >= 3, let own = Bool(words[1]), let other = Bool(words[2]) else { return nil }
            let effect = Preferences.Effect(own: own, other: other)
            self = .feature(feature, effect, seconds: words.count > 3 ? Int64(words[3]) : nil)
        default:
            guard let permission = Preferences.Permission(rawValue: words[1]) else { return nil }
            self = .preference(feature, permission, seconds: words.count > 2 ? Int64(words[2]) : nil)
        }
    }
}

extension ChatItem.IntegrityProblem {
    fileprivate init?(words: [Substring]) {
        let numbers = words.dropFirst().compactMap { Int64($0) }
        switch (words.first, numbers.count) {
        case ("skipped", 2): self = .skipped(from: numbers[0], to: numbers[1])
        case ("number", 1): self = .badNumber(numbers[0])
        case ("hash", 0): self = .badHash
        case ("duplicate", 0): self = .duplicate
        default: return nil
        }
    }
}
