import ByteCoding
import ChatProtocol
import JSONCoding

/// The recorded messages whose events have types, built by hand.
enum Constructed {
    static let image =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8"
        + "EAgALgAD/aNpbtEAAAAASUVORK5CYII="
    static let preferences: JSONValue = .object([
        "reactions": .object(["allow": .string("yes")]), "voice": .object(["allow": .string("yes")]),
    ])
    static let alice = Profile(displayName: "alice", fullName: "Alice", image: image, preferences: preferences)

    static let link =
        "simplex:/invitation#/?v=1&smp=smp%3A%2F%2F1234-w%3D%3D%40smp.simplex.im%3A5223%2F3456-w%3D%3D%23%2F%3Fv%3D1-4"
        + "%26dh%3DMCowBQYDK2VuAyEAjiswwI3O_NlS8Fk3HJUW870EY2bAwmttMBsvRB9eV3o%253D&e2e=v%3D3%26x3dh%3DMEIwBQYDK2VvAzkA"
        + "mKuSYeQ_m0SixPDS8Wq8VBaTS1cW-Lp0n0h4Diu-kUpR-qXx4SDJ32YGEFoGFGSbGPry5Ychr6U%3D%2CMEIwBQYDK2VvAzkAmKuSYeQ_m0Si"
        + "xPDS8Wq8VBaTS1cW-Lp0n0h4Diu-kUpR-qXx4SDJ32YGEFoGFGSbGPry5Ychr6U%3D"
    static let team: GroupProfile = {
        var preferences = GroupPreferences()
        preferences[.reactions] = .init(true)
        preferences[.voice] = .init(true)
        return GroupProfile(displayName: "team", fullName: "Team", preferences: preferences)
    }()

    private static let first = SharedMessageID([1, 2, 3, 4])
    private static let second = SharedMessageID([5, 6, 7, 8])
    private static let hello = MessageContent("hello")
    private static let photo: JSONValue = .object(["fileName": .string("photo.jpg"), "fileSize": .integer(12345)])

    private static let quote = Quote(
        MessageReference(
            id: second, sentAt: WireTime(checked: "1970-01-01T00:00:01.000000001Z"), isOwn: true),
        content: MessageContent("hello there!"))

    private static let linkContent = MessageContent(
        "https://simplex.chat",
        kind: .link(
            LinkPreview(
                uri: "https://simplex.chat", title: "SimpleX Chat", description: "SimpleX Chat",
                image: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgA")))

    private static func reply(ttl: Int64? = nil, isLive: Bool = false, file: JSONValue? = nil) -> MessageContainer {
        let otherFields: JSONObject = file.map { ["file": $0] } ?? [:]
        return MessageContainer(
            MessageContent("hello to you too"), ttl: ttl, isLive: isLive, quote: quote, otherFields: otherFields)
    }

    private static func forwarded(
        ttl: Int64? = nil, isLive: Bool = false, _ otherFields: JSONObject = [:]
    ) -> MessageContainer {
        MessageContainer(hello, ttl: ttl, isLive: isLive, isForwarded: true, otherFields: otherFields)
    }

    private static func forwardLink(memberID: JSONValue?) -> JSONObject {
        var link: JSONObject = [
            "displayName": .string("team"), "publicGroupId": .string("AQIDBA=="), "msgId": .string("BQYHCA=="),
            "groupLink": .string(
                "simplex:/c#AQIDBAUGBwgBAgMEBQYHCAECAwQFBgcIAQIDBAUGBwg?h=smp.simplex.im&p=5223&c=1234-w"),
        ]
        link["memberId"] = memberID
        return ["forwardLink": .object(link)]
    }

    private static func message(
        _ container: MessageContainer, id: SharedMessageID? = nil, versions: VersionRange = VersionRange(9)
    ) -> ChatMessage {
        ChatMessage(versions: versions, id: id, event: .message(container))
    }

    private static func event(_ event: ChatMessage.Event) -> ChatMessage {
        ChatMessage(versions: VersionRange(9), event: event)
    }

    private static func group(_ event: GroupEvent) -> ChatMessage {
        ChatMessage(versions: VersionRange(9), event: .group(event))
    }

    static let bob = MemberID(checked: [1, 2, 3, 4])
    static let cath = MemberID(checked: [5, 6, 7, 8])

    private static func invitation(linkID: Bytes? = nil) -> GroupInvitation {
        GroupInvitation(
            from: MemberIDRole(bob, .admin), to: MemberIDRole(cath, .member), connectionLink: link,
            groupProfile: team, groupLinkID: linkID)
    }

    private static func info(_ versions: VersionRange? = nil) -> MemberInfo {
        MemberInfo(bob, .admin, versions: versions, profile: alice)
    }

    private static let forward = ForwardedMessage(
        message(MessageContainer(hello), id: first), of: bob, named: "alice",
        at: WireTime(checked: "1970-01-01T00:00:01.000000001Z"))

    private static let video = CallType(.video, canEncrypt: true)
    private static let streams = CallSession(description: "{}", candidates: "[]")

    /// The number of a line and its message.
    static let messages: [(Int, ChatMessage)] = [
        (1, message(MessageContainer(hello))),
        (2, message(MessageContainer(hello, ttl: 3600))),
        (3, message(MessageContainer(hello, isLive: true))),
        (4, message(MessageContainer(linkContent))),
        (5, message(MessageContainer(MessageContent("", kind: .image(preview: image))))),
        (6, message(MessageContainer(MessageContent("here's an image", kind: .image(preview: image))))),
        (7, message(MessageContainer(hello), id: first)),
        (8, message(MessageContainer(hello), id: first, versions: VersionRange(9, 21))),
        (9, message(reply(), id: first)),
        (10, message(reply(ttl: 3600), id: first)),
        (11, message(reply(isLive: true), id: first)),
        (12, message(forwarded(), id: first)),
        (13, message(forwarded(ttl: 3600), id: first)),
        (14, message(forwarded(isLive: true), id: first)),
        (15, message(forwarded(forwardLink(memberID: .string("AQIDBA=="))), id: first)),
        (16, message(forwarded(forwardLink(memberID: nil)), id: first)),
        (17, message(MessageContainer(hello, otherFields: ["file": photo]))),
        (
            18,
            message(
                MessageContainer(
                    MessageContent("", kind: .file),
                    otherFields: [
                        "file": .object(["fileName": .string("file.txt"), "fileSize": .integer(12345)])
                    ]))
        ),
        (19, message(reply(file: photo), id: first)),
        (20, message(MessageContainer(MessageContent("", kind: .report(.spam)), quote: quote), id: first)),
        (21, message(forwarded(["file": photo]), id: first)),
        (22, event(.update(MessageUpdate(first, hello)))),
        (23, event(.deletion(MessageDeletion(first)))),
        (30, event(.fileCancelled(first))),
        (31, event(.profile(alice))),
        (32, event(.profile(Profile(displayName: "alice", preferences: preferences)))),
        (33, event(.contactRequest(ContactRequest(profile: alice, requestID: [1, 2, 3, 4])))),
        (34, event(.contactRequest(ContactRequest(profile: alice)))),
        (35, event(.contactRequest(ContactRequest(profile: alice)))),
        (36, event(.contactRequest(ContactRequest(profile: alice, message: .init(id: first, content: hello))))),
        (37, group(.invitation(invitation()))),
        (38, group(.invitation(invitation(linkID: [1, 2, 3, 4])))),
        (39, group(.invitationAccepted(bob))),
        (40, event(.group(.invitationAccepted(bob), otherFields: ["profile": alice.json]))),
        (41, group(.memberJoined(info()))),
        (42, group(.memberJoined(info(VersionRange(9, 21))))),
        (43, group(.memberIntroduced(info()))),
        (44, group(.memberIntroduced(info(VersionRange(9, 21))))),
        (45, group(.memberIntroduced(info(), MemberRestrictions(.blocked)))),
        (46, group(.introInvitation(bob, IntroInvitation(groupLink: link, directLink: link)))),
        (47, group(.introInvitation(bob, IntroInvitation(groupLink: link)))),
        (48, group(.introForwarded(info(), IntroInvitation(groupLink: link, directLink: link)))),
        (49, group(.introForwarded(info(VersionRange(9, 21)), IntroInvitation(groupLink: link)))),
        (50, group(.memberPresented(bob, alice))),
        (51, group(.memberConnected(bob))),
        (52, group(.allConnected(bob))),
        (53, group(.memberRemoved(bob))),
        (54, group(.memberLeft)),
        (55, group(.groupDeleted)),
        (56, group(.contactInvitation(MemberContactInvitation(connectionLink: link, content: hello)))),
        (57, group(.contactInvitation(MemberContactInvitation(connectionLink: link)))),
        (58, group(.forwarded(forward))),
        (62, event(.ok)),
        (63, event(.call(CallMessage(first, .invitation(CallInvitation(video)))))),
        (64, event(.call(CallMessage(first, .invitation(CallInvitation(video, otherFields: ["callVRange": "1-2"])))))),
        (65, event(.call(CallMessage(first, .offer(CallOffer(video, streams)))))),
        (66, event(.call(CallMessage(first, .offer(CallOffer(video, streams, otherFields: ["callVersion": 2])))))),
    ]
}

extension MemberID {
    /// An id that is known to be one.
    init(checked bytes: Bytes) {
        guard let id = MemberID(bytes) else { fatalError("not an id: \(bytes)") }
        self = id
    }
}

extension WireTime {
    /// A time that is known to be one.
    init(checked text: String) {
        guard let time = try? WireTime(text: text) else { fatalError("not a time: \(text)") }
        self = time
    }
}
