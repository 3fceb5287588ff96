import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@Suite struct MessageTests {
    /// A message with this event and these parameters, as JSON text.
    private func read(_ event: String, _ parameters: String) throws(DecodeError) -> ChatMessage.Event {
        try ChatMessage(decoding: Bytes(#"{"v":"1-16","event":"\#(event)","params":\#(parameters)}"#.utf8)).event
    }

    private func content(_ json: String) throws -> MessageContent {
        guard case .message(let container) = try read("x.msg.new", #"{"content":\#(json)}"#) else {
            throw DecodeError.invalid("event")
        }
        return container.content
    }

    private func container(_ parameters: String) throws -> MessageContainer {
        guard case .message(let container) = try read("x.msg.new", parameters) else {
            throw DecodeError.invalid("event")
        }
        return container
    }

    // MARK: - Changes

    @Test(arguments: [
        (
            "x.msg.update",
            #"{"mentions":{"a b":{"memberId":"AQ=="},"c":{"memberId":"Ag=="}},"msgId":"AQIDBA==","ttl":7,"#
                + #""content":{"type":"text","text":"new"},"scope":{"type":"member","memberId":"Aw=="},"live":true}"#
        ),
        ("x.msg.update", #"{"msgId":"AQIDBA==","content":{"type":"text","text":"new"},"asGroup":true}"#),
        ("x.msg.del", #"{"memberId":"AQ==","msgId":"AQIDBA=="}"#),
        ("x.msg.del", #"{"msgId":"AQIDBA==","scope":{"type":"member","memberId":"Aw=="},"onlyHistory":true}"#),
        (
            "x.msg.react",
            #"{"msgId":"AQIDBA==","memberId":"AQ==","scope":{"type":"member","memberId":"Aw=="},"#
                + #""reaction":{"type":"emoji","emoji":"🚀"},"add":true}"#
        ),
        (
            "x.msg.file.descr",
            #"{"msgId":"AQ==","new":1,"fileDescr":{"fileDescrText":"a","fileDescrPartNo":1,"fileDescrComplete":false,"x":1}}"#
        ),
        ("x.file.cancel", #"{"msgId":"AQIDBA==","new":1}"#),
        (
            "x.msg.react",
            #"{"msgId":"AQIDBA==","reaction":{"type":"emoji","emoji":"👍"},"add":true}"#
        ),
        ("x.msg.react", #"{"msgId":"AQIDBA==","reaction":{"type":"star","count":5},"add":false}"#),
    ])
    func changes(event: String, parameters: String) throws {
        let read = try read(event, parameters)
        if case .other = read { Issue.record("\(event) has a type") }
        #expect(try ForeignJSON(read.parameters.encoded).value == ForeignJSON(Bytes(parameters.utf8)).value)
    }

    @Test(arguments: [
        ("x.msg.update", #"{"content":{"type":"text","text":"new"}}"#, "msgId"),
        ("x.msg.update", #"{"msgId":"AQ=="}"#, "content"),
        ("x.msg.del", "{}", "msgId"), ("x.msg.del", #"{"msgId":""}"#, "msgId"),
        ("x.msg.react", #"{"msgId":"AQ==","add":true}"#, "reaction"),
        ("x.msg.react", #"{"msgId":"AQ==","reaction":{},"add":true}"#, "type"),
        ("x.msg.react", #"{"msgId":"AQ==","reaction":{"type":"emoji","emoji":"x"}}"#, "add"),
        ("x.msg.react", #"{"msgId":"AQ==","reaction":{"type":"x"},"add":true,"memberId":""}"#, "memberId"),
        ("x.msg.del", #"{"msgId":"AQ==","memberId":7}"#, "memberId"),
        ("x.msg.del", #"{"msgId":"AQ==","scope":{"type":"all"}}"#, "scope"),
        ("x.msg.del", #"{"msgId":"AQ==","scope":{}}"#, "type"),
        ("x.msg.del", #"{"msgId":"AQ==","scope":{"type":"member"}}"#, "memberId"),
        ("x.msg.update", #"{"msgId":"AQ==","content":{"type":"text","text":""},"mentions":[]}"#, "mentions"),
        ("x.msg.update", #"{"msgId":"AQ==","content":{"type":"text","text":""},"mentions":{"a":7}}"#, "mentions"),
        ("x.msg.update", #"{"msgId":"AQ==","content":{"type":"text","text":""},"mentions":{"a":{}}}"#, "memberId"),
        ("x.msg.update", #"{"msgId":"AQ==","content":{"type":"text","text":""},"ttl":"1"}"#, "ttl"),
        ("x.msg.file.descr", #"{"msgId":"AQ=="}"#, "fileDescr"), ("x.msg.file.descr", "{}", "msgId"),
        (
            "x.msg.file.descr", #"{"msgId":"AQ==","fileDescr":{"fileDescrText":"","fileDescrComplete":true}}"#,
            "fileDescrPartNo"
        ),
        ("x.file.cancel", "{}", "msgId"),
    ])
    func damagedChanges(event: String, parameters: String, field: String) {
        #expect(throws: Field(field)) { try Field.check { try read(event, parameters) } }
    }

    @Test func unknown_reaction_is_question_mark() throws {
        #expect(Reaction(emoji: "❤️")?.text == "❤" && Reaction(emoji: "❤️")?.text.unicodeScalars.count == 1)
        #expect(Reaction(emoji: "🦀") == nil && Reaction(emoji: "") == nil)
        guard
            case .reaction(let crab) = try read(
                "x.msg.react", #"{"msgId":"AQ==","reaction":{"type":"emoji","emoji":"🦀"},"add":true}"#)
        else {
            Issue.record("a reaction")
            return
        }
        #expect(crab.reaction.text == "?")
    }

    /// Clients differ in the order of the fields, and the text in the database is compared.
    @Test(arguments: [
        (#"{"emoji":"👍","type":"emoji"}"#, #"{"type":"emoji","emoji":"👍"}"#),
        (#"{"type":"emoji","emoji":"\ud83d\udc4d"}"#, #"{"type":"emoji","emoji":"👍"}"#),
        (#"{"size":{"b":1,"a":2},"type":"sticker","id":7}"#, #"{"type":"sticker","id":7,"size":{"b":1,"a":2}}"#),
    ])
    func reaction_has_one_form(received: String, form: String) throws {
        let message = #"{"msgId":"AQ==","reaction":\#(received),"add":true}"#
        guard case .reaction(let event) = try read("x.msg.react", message) else {
            Issue.record("a reaction")
            return
        }
        #expect(event.reaction.json.line == form)
        let stored = try JSONValue(decoding: Bytes(received.utf8)).object ?? [:]
        #expect(try Reaction(stored: stored).json.line == form)
    }

    // MARK: - Envelope

    @Test func envelope() throws {
        let message = try ChatMessage(
            decoding: Bytes(#" {"x":[1],"params":{"y":1},"event":"x.ok","v":null,"msgId":null} "#.utf8))
        #expect(message == ChatMessage(versions: ChatVersion.initial, event: .ok))
        #expect(String(decoding: message.encoded, as: UTF8.self) == #"{"v":"1","event":"x.ok","params":{}}"#)
        let current = ChatMessage(id: SharedMessageID([1, 2, 3, 4]), event: .contactDeleted)
        let text = #"{"v":"1-19","msgId":"AQIDBA==","event":"x.direct.del","params":{}}"#
        #expect(String(decoding: current.encoded, as: UTF8.self) == text)
        #expect(try ChatMessage(decoding: Bytes(text.replacing("==", with: "").utf8)) == current)
    }

    @Test(arguments: [
        ("{}", "event"), (#"{"event":"x.ok"}"#, "params"), (#"{"params":{}}"#, "event"),
        (#"{"event":1,"params":{}}"#, "event"), (#"{"event":"x.ok","params":[]}"#, "params"),
        (#"{"v":"16-1","event":"x.ok","params":{}}"#, "v"), (#"{"v":1,"event":"x.ok","params":{}}"#, "v"),
        (#"{"v":"1-65536","event":"x.ok","params":{}}"#, "v"), (#"{"v":"","event":"x.ok","params":{}}"#, "v"),
        (#"{"msgId":"","event":"x.ok","params":{}}"#, "msgId"), (#"{"msgId":"A","event":"x.ok","params":{}}"#, "msgId"),
        (#"{"msgId":"AQ=","event":"x.ok","params":{}}"#, "msgId"),
        (#"{"msgId":7,"event":"x.ok","params":{}}"#, "msgId"),
        ("[]", "object"), ("7", "object"),
    ])
    func damagedEnvelopes(text: String, field: String) {
        #expect(throws: Field(field)) { try Field.check { try ChatMessage(decoding: Bytes(text.utf8)) } }
    }

    @Test func longIDs() throws {
        for (count, isGood) in [(1, true), (255, true), (256, false)] {
            let id = Base64URL.encode(Bytes(repeating: 7, count: count))
            let message = try? ChatMessage(decoding: Bytes(#"{"msgId":"\#(id)","event":"x.ok","params":{}}"#.utf8))
            #expect(message?.id == (isGood ? SharedMessageID(Bytes(repeating: 7, count: count)) : nil))
        }
    }

    // MARK: - Content

    @Test(arguments: [
        (#"{"type":"text","text":""}"#, "", MessageContent.Kind.text),
        (#"{"type":"video","text":"a","image":"b","duration":3}"#, "a", .video(preview: "b", seconds: 3)),
        (#"{"type":"video","text":"a","image":"b","duration":3.0}"#, "a", .video(preview: "b", seconds: 3)),
        (#"{"type":"voice","text":"","duration":61}"#, "", .voice(seconds: 61)),
        (#"{"type":"file","text":"a"}"#, "a", .file),
        (#"{"type":"report","text":"a","reason":"new"}"#, "a", .report(ReportReason(rawValue: "new"))),
        (#"{"type":"chat","text":"a","chatLink":{"type":"x"}}"#, "a", .chat(link: ["type": .string("x")])),
        (
            #"{"type":"poll","text":"a","n":[1]}"#, "a",
            .unknown(["type": .string("poll"), "text": .string("a"), "n": .array([.integer(1)])])
        ),
        (#"{"type":"poll"}"#, "unknown message type", .unknown(["type": .string("poll")])),
        (
            #"{"type":"poll","text":null}"#, "unknown message type",
            .unknown(["type": .string("poll"), "text": .null])
        ),
        (
            #"{"type":"poll","text":1}"#, "unknown message type",
            .unknown(["type": .string("poll"), "text": .integer(1)])
        ),
    ])
    func contents(json: String, text: String, kind: MessageContent.Kind) throws {
        let content = try content(json)
        #expect(content.text == text)
        #expect(content.kind == kind)
        let again = ChatMessage(event: .message(MessageContainer(content))).encoded
        #expect(
            try ForeignJSON(again).value.object?["params"]?.object?["content"] == ForeignJSON(Bytes(json.utf8)).value)
    }

    @Test(arguments: [
        (#"{"text":"a"}"#, "type"), (#"{"type":"text"}"#, "text"), (#"{"type":"text","text":null}"#, "text"),
        (#"{"type":"text","text":1}"#, "text"), (#"{"type":"link","text":"a"}"#, "preview"),
        (#"{"type":"link","text":"a","preview":{"title":"","description":"","image":""}}"#, "uri"),
        (#"{"type":"link","text":"a","preview":{"uri":"","description":"","image":""}}"#, "title"),
        (#"{"type":"link","text":"a","preview":{"uri":"","title":"","image":""}}"#, "description"),
        (#"{"type":"link","text":"a","preview":{"uri":"","title":"","description":""}}"#, "image"),
        (#"{"type":"image","text":"a"}"#, "image"), (#"{"type":"video","text":"a","duration":1}"#, "image"),
        (#"{"type":"video","text":"a","image":""}"#, "duration"), (#"{"type":"voice","text":"a"}"#, "duration"),
        (#"{"type":"voice","text":"a","duration":1.5}"#, "duration"), (#"{"type":"file"}"#, "text"),
        (#"{"type":"report","text":"a"}"#, "reason"), (#"{"type":"chat","text":"a"}"#, "chatLink"),
        (#"{"type":"chat","text":"a","chatLink":"b"}"#, "chatLink"),
        ("[]", "content"), ("null", "content"), (#""a""#, "content"),
    ])
    func damagedContents(json: String, field: String) {
        #expect(throws: Field(field)) { try Field.check { try content(json) } }
    }

    // MARK: - Container

    @Test func unknown_fields_are_kept() throws {
        let known =
            #""content":{"type":"link","text":"a","new":1,"preview":{"#
            + #""uri":"b","title":"","description":"","image":"","content":{"type":"page"}}}"#
        let quote =
            #""quote":{"new":2,"content":{"type":"text","text":"c"},"msgRef":{"sentAt":"2026-01-02T03:04:05Z","#
            + #""sent":false,"memberId":"AQIDBA==","new":3}}"#
        let others =
            #""mentions":{"bob":{"memberId":"AQ=="}},"scope":{"type":"member","memberId":"AQ=="},"new":{"a":1.50}"#
        let text = #"{"event":"x.msg.new","params":{\#(known),\#(quote),\#(others)},"v":"1-16"}"#
        let message = try ChatMessage(decoding: Bytes(text.utf8))
        #expect(try JSONValue(decoding: message.encoded) == JSONValue(decoding: Bytes(text.utf8)))
        guard case .message(let container) = message.event else { throw DecodeError.invalid("event") }
        #expect(container.otherFields.names == ["new"])
        #expect(container.mentions.members.mapValues(\.bytes) == ["bob": [1]])
        #expect(container.scope?.memberID.bytes == [1])
        #expect(container.quote?.reference.memberID?.bytes == [1, 2, 3, 4])
        #expect(container.quote?.content.text == "c")
        #expect(container.quote?.reference.id == nil)
        #expect(container.quote?.reference.isOwn == false)
        #expect(try container.quote?.reference.sentAt.timestamp == Timestamp(text: "2026-01-02T03:04:05Z"))
    }

    @Test func forwarding() throws {
        let content = #""content":{"type":"text","text":"a"}"#
        for (value, expected) in [("true", true), ("false", false), ("null", false), ("{}", true), (#"{"a":1}"#, true)]
        {
            #expect(try container(#"{\#(content),"forward":\#(value)}"#).isForwarded == expected)
        }
        #expect(try container("{\(content)}").isForwarded == false)
        for value in ["1", #""true""#, "[]"] {
            #expect(throws: DecodeError.invalid("forward")) { try container(#"{\#(content),"forward":\#(value)}"#) }
        }
    }

    @Test(arguments: [
        (#""ttl":"1""#, "ttl"), (#""ttl":1.5"#, "ttl"), (#""live":1"#, "live"), (#""quote":{}"#, "msgRef"),
        (#""quote":{"msgRef":{"sentAt":"1970-01-01T00:00:00Z","sent":true}}"#, "content"),
        (#""quote":{"msgRef":{"sent":true},"content":{"type":"text","text":""}}"#, "sentAt"),
        (#""quote":{"msgRef":{"sentAt":"yesterday","sent":true},"content":{"type":"text","text":""}}"#, "sentAt"),
        (#""quote":{"msgRef":{"sentAt":"1970-01-01T00:00:00Z"},"content":{"type":"text","text":""}}"#, "sent"),
        (
            #""quote":{"msgRef":{"sentAt":"1970-01-01T00:00:00Z","sent":true,"msgId":""},"content":{"type":"text","text":""}}"#,
            "msgId"
        ),
    ])
    func damagedContainers(parameter: String, field: String) {
        #expect(throws: Field(field)) {
            try Field.check { try container(#"{"content":{"type":"text","text":"a"},\#(parameter)}"#) }
        }
    }

    // MARK: - Other events

    @Test(arguments: [
        ("x.msg.new", "{}", "content"), ("x.info", "{}", "profile"), ("x.info", #"{"profile":[]}"#, "profile"),
        ("x.info", #"{"profile":{"fullName":""}}"#, "displayName"),
        ("x.info", #"{"profile":{"displayName":""}}"#, "fullName"),
        ("x.info", #"{"profile":{"displayName":"","fullName":"","image":1}}"#, "image"),
        ("x.contact", "{}", "profile"),
        ("x.contact", #"{"profile":{"displayName":"","fullName":""},"contactReqId":"A"}"#, "contactReqId"),
        ("x.contact", #"{"profile":{"displayName":"","fullName":""},"contactReqId":""}"#, "contactReqId"),
        ("x.contact", #"{"profile":{"displayName":"","fullName":""},"welcomeMsgId":""}"#, "welcomeMsgId"),
        ("x.contact", #"{"profile":{"displayName":"","fullName":""},"content":{}}"#, "type"),
    ])
    func damagedEvents(event: String, parameters: String, field: String) {
        #expect(throws: Field(field)) { try Field.check { try read(event, parameters) } }
    }

    @Test func requestMessagesNeedBothFields() throws {
        let profile = #""profile":{"displayName":"a","fullName":""}"#
        let content = #""content":{"type":"text","text":"hi"}"#
        let expected = ContactRequest(profile: Profile(displayName: "a"))
        for extra in ["", #","msgId":"AQ==""#, ",\(content)", #","msgId":"AQ==","content":null"#] {
            #expect(try read("x.contact", "{\(profile)\(extra)}") == .contactRequest(expected))
        }
        let both = try read("x.contact", #"{\#(profile),"msgId":"AQ==",\#(content),"welcomeMsgId":"Ag==","new":1}"#)
        let request = ContactRequest(
            profile: Profile(displayName: "a"), welcomeMessageID: SharedMessageID([2]),
            message: .init(id: SharedMessageID([1]), content: MessageContent("hi")), otherFields: ["new": .integer(1)])
        #expect(both == .contactRequest(request))
        #expect(try ChatMessage(decoding: ChatMessage(event: both).encoded).event == both)
    }

    @Test func flags() throws {
        let notifying = ["x.msg.new", "x.file", "x.contact", "x.grp.inv", "x.grp.mem.fwd", "x.grp.del", "x.call.inv"]
        let receipted = ["x.msg.new", "x.grp.inv", "x.call.inv"]
        for line in RecordedMessage.all {
            let event = try ChatMessage(decoding: line.bytes).event
            #expect(event.notifies == notifying.contains(event.name))
            #expect(event.wantsReceipt == receipted.contains(event.name))
        }
        let names = try Set(RecordedMessage.all.map { try ChatMessage(decoding: $0.bytes).event.name })
        #expect(names.isSuperset(of: notifying))
    }
}

/// The field that an error names.
private struct Field: Error, Equatable {
    let name: String

    init(_ name: String) { self.name = name }

    static func check(_ body: () throws -> some Any) throws {
        do {
            _ = try body()
        } catch DecodeError.invalid(let field) {
            throw Field(field.description)
        }
    }
}
