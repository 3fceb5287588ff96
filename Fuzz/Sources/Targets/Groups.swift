import ByteCoding
import ChatProtocol
import JSONCoding

extension FuzzTarget {
    /// What members of a group send each other, and the objects in it.
    static let groups = FuzzTarget(name: "groups") { input in
        for element in ChatPayload.elements(of: input) {
            guard case .success(.message(let message)) = element.content else { continue }
            check(message)
        }
        check(input)
        if let preferences = try? GroupPreferences(decoding: input) { check(preferences) }
    }

    private static func check(_ message: ChatMessage) {
        roundTrip(message.encoded, { try ChatMessage(decoding: $0) }, \.encoded)
        guard case .group(let event, _) = message.event else { return forward(message) }
        switch event {
        case .forwarded(let forwarded):
            promise(!message.event.isForwardable, "a forwarded message is forwarded")
            guard let original = try? forwarded.message() else { return }
            if case .group(.forwarded, _) = original.event { promise(false, "a forwarded message is nested") }
            roundTrip(original.encoded, { try ChatMessage(decoding: $0) }, \.encoded)
        case .profileChanged(let profile):
            _ = try? profile.checkForSending()
            check(profile.preferences ?? GroupPreferences())
            forward(message)
        case .preferencesChanged(let preferences):
            check(preferences)
            forward(message)
        case .memberJoined(let info, _):
            let shared = info.profile.forMembers()
            promise(shared.preferences == nil, "a member gets preferences of another")
            promise(
                Set(shared.otherFields.names).isSubset(of: ["badge", "description"]), "a member gets unknown fields")
            promise(shared.forMembers() == shared, "a shared profile is not final")
            let presented = info.profile.presentedByMember()
            promise(presented.presentedByMember() == presented, "a presented profile is not final")
            forward(message)
        default: forward(message)
        }
    }

    /// The message as a host passes it on.
    private static func forward(_ message: ChatMessage) {
        guard message.event.isForwardable, let author = MemberID([1]) else { return }
        let forwarded = ForwardedMessage(message, of: author, at: WireTime(Timestamp(milliseconds: 0)))
        let encoded = ChatMessage(event: .group(.forwarded(forwarded))).encoded
        guard let read = try? ChatMessage(decoding: encoded), case .group(.forwarded(let again), _) = read.event else {
            return promise(false, "a forwarded message is refused: \(Hex.encode(encoded))")
        }
        promise((try? again.message()) == message, "a forwarded message means something else")
    }

    private static func check(_ preferences: GroupPreferences) {
        let full = preferences.full
        promise(full.full == full, "complete preferences are completed again")
        for feature in GroupPreferences.Feature.allCases {
            promise(full.setting(for: feature) == preferences.setting(for: feature), "another \(feature)")
            let allowed = GroupRole.known.map { preferences.allows(feature, $0) }
            promise(allowed == allowed.sorted { !$0 && $1 }, "a role may do less than a lower one")
        }
    }

    /// The objects by themselves.
    private static func check(_ input: Bytes) {
        roundTrip(input, { try GroupProfile(decoding: $0) }, \.encoded)
        roundTrip(input, { try GroupInvitation(decoding: $0) }, \.encoded)
        roundTrip(input, { try GroupLinkInvitation(decoding: $0) }, \.encoded)
        roundTrip(input, { try GroupLinkRejection(decoding: $0) }, \.encoded)
        roundTrip(input, { try MemberInfo(decoding: $0) }, \.encoded)
        roundTrip(input, { try MemberRestrictions(decoding: $0) }, \.encoded)
        roundTrip(input, { try IntroInvitation(decoding: $0) }, \.encoded)
        roundTrip(input, { try MessageScope(decoding: $0) }, \.encoded)
        roundTrip(input, { try ForwardedMessage(decoding: $0) }, \.encoded)
        roundTrip(input, { try GroupLinkContent(linkContent: $0) }, \.fields.encoded)
    }
}
