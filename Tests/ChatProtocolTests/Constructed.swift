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

    private static let first = SharedMessageID([1, 2, 3, 4])
    private static let second = SharedMessageID([5, 6, 7, 8])
    private static let hello = MessageContent("hello")
    private static let photo: JSONValue = .object(["fileName": .string("photo.jpg"), "fileSize": .integer(12345)])

    private static let quote = Quote(
        MessageReference(
            id: second, sentAt: WireTime(checked: "1970-01-01T00:00:01.000000001Z"), isOwn: true),
        content: MessageContent("hello there!"))

    private static let link = MessageContent(
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

    private static let video = CallType(.video, canEncrypt: true)
    private static let streams = CallSession(description: "{}", candidates: "[]")

    /// The number of a line and its message.
    static let messages: [(Int, ChatMessage)] = [
        (1, message(MessageContainer(hello))),
        (2, message(MessageContainer(hello, ttl: 3600))),
        (3, message(MessageContainer(hello, isLive: true))),
        (4, message(MessageContainer(link))),
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
        (31, event(.profile(alice))),
        (32, event(.profile(Profile(displayName: "alice", preferences: preferences)))),
        (33, event(.contactRequest(ContactRequest(profile: alice, requestID: [1, 2, 3, 4])))),
        (34, event(.contactRequest(ContactRequest(profile: alice)))),
        (35, event(.contactRequest(ContactRequest(profile: alice)))),
        (36, event(.contactRequest(ContactRequest(profile: alice, message: .init(id: first, content: hello))))),
        (62, event(.ok)),
        (63, event(.call(CallMessage(first, .invitation(CallInvitation(video)))))),
        (64, event(.call(CallMessage(first, .invitation(CallInvitation(video, otherFields: ["callVRange": "1-2"])))))),
        (65, event(.call(CallMessage(first, .offer(CallOffer(video, streams)))))),
        (66, event(.call(CallMessage(first, .offer(CallOffer(video, streams, otherFields: ["callVersion": 2])))))),
    ]
}

extension WireTime {
    /// A time that is known to be one.
    init(checked text: String) {
        guard let time = try? WireTime(text: text) else { fatalError("not a time: \(text)") }
        self = time
    }
}
