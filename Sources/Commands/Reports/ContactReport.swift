import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// A contact in a list, or another chat by itself.
struct ContactReport: Report {
    let chat: Chat
    /// What was done with it, if anything: `renamed`.
    var action: String?

    init(chat: Chat, action: String? = nil) {
        self.chat = chat
        self.action = action
    }

    init(contact: Contact, action: String? = nil) {
        self.init(chat: .direct(contact), action: action)
    }

    private var contact: Contact? { chat.contact }

    static let forms = [
        ReportForm(
            "contact", "A contact", plain: ["id", "name", "state", "full_name"],
            [
                .always("id", .id, "Id of the contact"),
                .always("chat", .text, "Contact, in the form that commands accept"),
                .always("chat_id", .id, "Id of the contact"), .always("name", .text, "Local name of the contact"),
                .always("state", .word(ContactState.allCases.map(\.rawValue)), "State of the connection"),
                .always("display_name", .text, "Name in the contact's profile"),
                .sometimes("full_name", .text, "Full name in the contact's profile"),
                .sometimes("incognito", .text, "Random name that the contact sees"),
                .always("post_quantum", .flag, "True if post-quantum keys protect both directions"),
                .sometimes("post_quantum_off", .flag, "True if post-quantum keys are turned off for the contact"),
                .sometimes("moves", .texts, "Queues being moved: own-queue, contact-queue"),
                .always("unread", .count, "Number of unread messages"),
                .always("muted", .flag, "True if the contact is muted"),
                .always("blocked", .flag, "True if the contact is blocked"),
                .always("verified", .flag, "True if the security code is verified"),
                .sometimes("code_changed_at", .time, "Time when the verified security code changed"),
                .sometimes(
                    "retention_ms", .duration,
                    "Retention time of messages, 0 for unlimited; missing if the profile's setting applies"),
                .sometimes("expires_ms", .duration, "Default time after which sent messages disappear"),
                .sometimes(
                    "receipts", .flag,
                    "True if the contact gets delivery receipts; missing if the profile's setting applies"),
                .sometimes("bio", .text, "Description in the contact's profile"),
                .sometimes("domain", .text, "Registered name that the contact claims"),
                .sometimes("domain_verified", .flag, "True if the name leads to the contact"),
                .always("created_at", .time, "Time when the contact was added"),
                .sometimes("active_at", .time, "Time of the last message"),
            ] + Profile.details(of: "contact"))
    ]
    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("STATE"), Table.Column("KEYS"),
        Table.Column("PROFILE NAME", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "contact")
        json.set("id", chat.objectID)
        json.set("chat", chat.target)
        json.set("chat_id", chat.objectID)
        json.set("name", chat.name)
        json.set("state", chat.state.word)
        let profile = contact?.profile
        json.set("display_name", profile?.displayName ?? chat.name)
        if let name = profile?.fullName, !name.isEmpty { json.set("full_name", name) }
        json.set("incognito", contact?.connection?.incognito?.displayName)
        json.set("post_quantum", contact?.isQuantumResistant ?? false)
        if let moves = contact?.moves, !moves.isEmpty { json.set("moves", moves) }
        json.set("bio", profile?.shortDescription)
        json.set("domain", profile?.domainClaim?.domain)
        if let isVerified = contact?.isNameVerified { json.set("domain_verified", isVerified) }
        profile?.setDetails(in: &json)
        json.set("unread", chat.unreadCount)
        json.set("muted", contact?.isMuted ?? false)
        json.set("blocked", contact?.isBlocked ?? false)
        json.set("verified", contact?.verification != nil)
        json.set("code_changed_at", contact?.codeChangedAt?.description)
        switch chat.retention {
        case .standard: break
        case .unlimited: json.set("retention_ms", 0)
        case .limited(let seconds): json.set("retention_ms", seconds * 1000)
        }
        json.set("expires_ms", chat.expiry.map { $0 * 1000 })
        if let isOn = contact?.sendsReceipts { json.set("receipts", isOn) }
        if contact?.isPostQuantumOff == true { json.set("post_quantum_off", true) }
        json.set("created_at", chat.createdAt.description)
        json.set("active_at", chat.activeAt?.description)
        return json
    }

    /// One line about what was done, or all that there is.
    func lines(_ style: ReportStyle) -> [StyledText] {
        if let action {
            return [
                StyledText("\(action) ") + StyledText(chat.target, .name)
                    + StyledText(" (\(chat.objectID))", .muted)
            ]
        }
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        add("contact", StyledText(chat.target, .name))
        add("id", StyledText(chat.objectID))
        add("state", StyledText(chat.state.word, chat.state.isConnected ? .plain : .warning))
        if let advice = contact?.advice(.outOfStep) { add("", StyledText("try: \(advice)", .hint)) }
        let profile = contact?.profile
        add("profile name", StyledText(profile?.displayName ?? chat.name))
        if let name = profile?.fullName, !name.isEmpty { add("full name", StyledText(name)) }
        if let bio = profile?.shortDescription { add("bio", StyledText(bio)) }
        if let claim = profile?.domainClaim {
            add("domain", .domain("@\(claim.domain)", isVerified: contact?.isNameVerified))
        }
        for row in profile?.details(style) ?? [] { add(row.name, row.value) }
        if let name = contact?.connection?.incognito?.displayName { add("sees you as", StyledText(name, .name)) }
        let keys = contact?.isQuantumResistant == true ? "post-quantum" : "ordinary"
        add("keys", StyledText(contact?.isPostQuantumOff == true ? "\(keys); post-quantum is off" : keys))
        if let time = contact?.codeChangedAt {
            add("code", StyledText("changed ", .warning) + style.time(time))
        } else {
            add(
                "code",
                contact?.verification.map { StyledText("verified ") + style.time($0.verifiedAt) } ?? "not verified")
        }
        if let advice = contact?.advice(.codeChanged) { add("", StyledText("try: \(advice)", .hint)) }
        add("unread", StyledText("\(chat.unreadCount)", chat.unreadCount > 0 ? .unread : .plain))
        let marks = [contact?.isMuted == true ? "muted" : nil, contact?.isBlocked == true ? "blocked" : nil]
            .compactMap(\.self)
        if !marks.isEmpty { add("flags", StyledText(marks.joined(separator: ", "), .warning)) }
        if chat.retention != .standard {
            add("retention", StyledText(KeepingTime(chat.retention).text))
        }
        if let expiry = chat.expiry { add("expires", StyledText(KeepingTime.seconds(expiry).text)) }
        if let isOn = contact?.sendsReceipts { add("receipts", StyledText(OnOff(isOn).rawValue)) }
        add("since", style.time(chat.createdAt))
        return table.lines(width: style.width, withTitles: false)
    }

    /// The state, and what else makes the contact other than most.
    private var conditions: String {
        var words = [chat.state.word]
        // Nobody says when a contact gives up to move its own queue, and there is nothing to do about it here.
        if contact?.connection?.movesOwnQueue == true { words.append("moving") }
        if contact?.codeChangedAt != nil { words.append("new code") }
        if let name = contact?.connection?.incognito?.displayName { words.append("as \(name)") }
        return words.joined(separator: ", ")
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let profile = contact?.profile
        let names = [profile?.displayName ?? chat.name, profile?.fullName ?? ""].filter { !$0.isEmpty }
        return [
            StyledText(chat.objectID, .muted), StyledText(chat.target, .name), StyledText(conditions),
            contact?.isQuantumResistant == true ? StyledText("post-quantum") : StyledText("ordinary", .muted),
            StyledText(names.joined(separator: ", ")),
        ]
    }
}

extension Contact {
    /// Whether post-quantum keys protect both directions.
    var isQuantumResistant: Bool { connection?.quantumResistance.isOn ?? false }

    /// True if the user turned post-quantum keys off for this contact.
    var isPostQuantumOff: Bool { connection?.quantumResistance.isWanted == false }

    /// Which queues are being moved to other relays, in words for programs.
    var moves: [String] {
        [
            connection?.movesOwnQueue == true ? "own-queue" : nil,
            connection?.movesContactQueue == true ? "contact-queue" : nil,
        ].compactMap(\.self)
    }
}

/// What somebody has to do about a contact.
enum ContactProblem: CaseIterable {
    /// The ratchets of both sides do not fit.
    case outOfStep
    /// The security code that was compared is another one now.
    case codeChanged

    /// The problem in the list of `status`.
    var code: String {
        switch self {
        case .outOfStep: "contact.out-of-step"
        case .codeChanged: "contact.code-changed"
        }
    }
}

extension Contact {
    func has(_ problem: ContactProblem) -> Bool {
        switch problem {
        case .outOfStep: connection.map { $0.synchronization != .ok } ?? false
        case .codeChanged: codeChangedAt != nil
        }
    }

    /// The command line that helps; nil if there is nothing to do.
    ///
    /// - Parameter profile: The profile to name, if it is not the active one.
    func advice(_ problem: ContactProblem, in profile: OwnProfile? = nil) -> String? {
        guard has(problem) else { return nil }
        let global = profile.map { $0.isActive ? [] : ["--profile", $0.name] } ?? []
        let words: [String] =
            switch (problem, connection?.synchronization) {
            // Who has asked for a new encryption waits for the contact.
            case (.outOfStep, .started), (.outOfStep, .agreed): ["fetch"]
            case (.outOfStep, _): ["contact", "resync", target]
            case (.codeChanged, _): ["contact", "verify", target]
            }
        return Failure.Attempt(words: ["tacit"] + global + words).command
    }
}
