import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import SMPProtocol
import Testing

@Suite struct ChatCommandTests {
    /// A query that says everything.
    static let splitText: ComposedMessage = {
        var message = ComposedMessage(MessageContent("hi"), ttl: 0)
        message.isSplit = true
        return message
    }()

    static let fullQuery: ItemQuery = {
        var query = ItemQuery()
        query.contact = ContactID(4)
        query.after = ChatItemID(7)
        query.since = Timestamp(milliseconds: 0)
        query.until = Timestamp(milliseconds: 1000)
        query.isUnread = true
        query.count = 5
        query.takesOldest = true
        query.words = "two words"
        return query
    }()
    static let fullQueryText =
        "/_search 1 @4 after=7 since=1970-01-01T00:00:00.000Z until=1970-01-01T00:00:01.000Z unread=on first=5 two words"

    private static func words(_ words: String) -> ItemQuery {
        var query = ItemQuery()
        query.words = words
        return query
    }

    /// Each command with its text.
    static let commands: [(CoreCommand, String)] = [
        (.moveCursor(ProfileID(1), name: "it's", in: nil, .start), "/_cursor 1 'it''s' start"),
        (.moveCursor(ProfileID(1), name: "''", in: ContactID(4), .nowhere), "/_cursor 1 '''''' @4 nowhere"),
        (.deleteCursor(ProfileID(1), name: "a 'b' c"), "/_delete_cursor 1 'a ''b'' c'"),
        (.findItems(ProfileID(1), words("unread=on")), "/_search 1 words=unread=on"),
        (.findItems(ProfileID(1), words("@4 hello")), "/_search 1 words=@4 hello"),
        (.findItems(ProfileID(1), words(" first=1")), "/_search 1 words= first=1"),
        (.findItems(ProfileID(1), words("words=a b")), "/_search 1 words=words=a b"),
        (.showNotes(nil), "/notes"), (.showNotes(ProfileID(3)), "/_notes 3"), (.openNotes(nil), "/open_notes"),
        (.openNotes(ProfileID(3)), "/_open_notes 3"),
        (.listChats(ProfileID(1), includesPending: false, count: nil), "/_get chats 1"),
        (.listChats(ProfileID(1), includesPending: true, count: 20), "/_get chats 1 pcc=on count=20"),
        (.listChats(nil, includesPending: false, count: 5), "/chats count=5"),
        (.showChat(.reference(.contact(ContactID(4))), .last(20)), "/_get chat @4 count=20"),
        (.showChat(.name("ann"), .before(ChatItemID(9), 3)), "/_get chat @'ann' before=9 count=3"),
        (.listItems(ProfileID(1), .after(ChatItemID(9), 3)), "/_get items 1 after=9 count=3"),
        (.listItems(nil, .last(1)), "/items count=1"),
        (.markRead(.reference(.contact(ContactID(4)))), "/_read chat @4"),
        (.markItemsRead(.reference(.contact(ContactID(4))), [ChatItemID(7)]), "/_read chat items @4 7"),
        (.markItemsRead(.name("items"), [ChatItemID(7), ChatItemID(9)]), "/_read chat items @'items' 7,9"),
        (
            .send(.reference(.contact(ContactID(4))), [MessageContent("héllo 👋")]),
            #"/_send @4 json [{"msgContent":{"type":"text","text":"héllo 👋"},"mentions":{}}]"#
        ),
        (
            .send(
                .name("ann"), [ComposedMessage(MessageContent("yes"), answering: ChatItemID(7))], once: "a key"),
            #"/_send @'ann' once='a key' json [{"quotedItemId":7,"msgContent":{"type":"text","text":"yes"},"mentions":{}}]"#
        ),
        (
            .forward(to: .name("ann"), from: .reference(.contact(ContactID(2))), [ChatItemID(7)]),
            "/_forward @'ann' @2 7"
        ),
        (
            .editItem(.reference(.contact(ContactID(4))), ChatItemID(7), MessageContent("hi")),
            #"/_update item @4 7 json {"msgContent":{"type":"text","text":"hi"},"mentions":{}}"#
        ),
        (
            .deleteItems(.reference(.contact(ContactID(4))), [ChatItemID(7), ChatItemID(8)], .broadcast),
            "/_delete item @4 7,8 broadcast"
        ),
        (.showItem(ChatItemID(7)), "/_item 7"),
        (.findItems(ProfileID(1), ItemQuery()), "/_search 1"), (.findItems(nil, ItemQuery()), "/search"),
        (.findItems(ProfileID(1), fullQuery), fullQueryText),
        (.listCursors(ProfileID(1)), "/_cursors 1"), (.listCursors(nil), "/cursors"),
        (.moveCursor(ProfileID(1), name: "bot", in: ContactID(4), .past(ChatItemID(7))), "/_cursor 1 'bot' @4 past 7"),
        (.moveCursor(nil, name: "a bot", in: nil, .end), "/cursor 'a bot' end"),
        (.moveCursor(nil, name: "bot", in: nil, .to(ChatItemID(7))), "/cursor 'bot' to 7"),
        (.moveCursor(nil, name: "bot", in: nil, .start), "/cursor 'bot' start"),
        (.moveCursor(nil, name: "bot", in: nil, .nowhere), "/cursor 'bot' nowhere"),
        (.moveCursor(nil, name: "bot", in: nil, .failed(ChatItemID(12))), "/cursor 'bot' failed 12"),
        (.deleteCursor(ProfileID(1), name: "bot"), "/_delete_cursor 1 'bot'"),
        (.listOutbox(ProfileID(1)), "/_outbox 1"), (.flush(timeout: .seconds(3)), "/_flush timeout=3000ms"),
        (.dropItem(ChatItemID(7)), "/_drop item 7"),
        (
            .send(
                .reference(.contact(ContactID(4))), [ComposedMessage(MessageContent("hi"), ttl: 60)], once: nil),
            #"/_send @4 ttl=60 json [{"msgContent":{"type":"text","text":"hi"},"mentions":{}}]"#
        ),
        (
            .send(.reference(.contact(ContactID(4))), [splitText], once: "k"),
            #"/_send @4 once='k' ttl=0 split=on json [{"msgContent":{"type":"text","text":"hi"},"mentions":{}}]"#
        ),
        (.setRetention(ProfileID(1), nil, .limited(seconds: 60)), "/_ttl 1 60"),
        (.setRetention(ProfileID(1), .reference(.contact(ContactID(4))), .standard), "/_ttl 1 @4 default"),
        (.setRetention(nil, .name("Ann Lee"), .unlimited), "/ttl @'Ann Lee' none"),
        (.showRetention(ProfileID(1)), "/_get ttl 1"), (.showRetention(nil), "/get ttl"),
        (.setExpiry(.name("ann"), 60), "/_expiry @'ann' 60"),
        (.setExpiry(.reference(.contact(ContactID(4))), nil), "/_expiry @4 none"),
        (
            .purge(ProfileID(1), in: ContactID(4), before: Timestamp(milliseconds: 1_700_000_000_123), isDry: true),
            "/_purge 1 @4 before=2023-11-14T22:13:20.123Z dry=on"
        ),
        (
            .purge(nil, in: nil, before: Timestamp(milliseconds: 253_402_300_799_000), isDry: false),
            "/purge before=9999-12-31T23:59:59.000Z"
        ),
    ]

    @Test func everyCommandHasATextThatMeansIt() throws {
        for (command, text) in Self.commands {
            #expect(command.text == text)
            #expect(try CoreCommand(text: text) == command)
        }
    }

    /// Other spellings of the same commands.
    @Test(arguments: [
        ("@ann hi there", CoreCommand.send(.name("ann"), [MessageContent("hi there")])),
        ("@'Ann Lee' hi", .send(.name("Ann Lee"), [MessageContent("hi")])),
        ("/_send @4 text a  b ", .send(.reference(.contact(ContactID(4))), [MessageContent("a  b ")])),
        ("/t", .listItems(nil, .last(20))), ("/tail @ann 3", .showChat(.name("ann"), .last(3))),
    ])
    func peopleMayWriteOtherwise(text: String, command: CoreCommand) throws {
        #expect(try CoreCommand(text: text) == command)
    }

    @Test(arguments: [
        "", " ", "/", "user", "/nothing", "/user 1", "/_user", "/_user x", "/_user 99999999999999999999",
        "/_create user",
        "/_create user {}", "/_create user {\"profile\":{}}", "/_servers 1 smp://", "/_servers 1 [{}]",
        #"/_servers 1 [{"smpServers":[{"server":"smp://x"}]}]"#, "/smp test", "/smp smp://", "/_server test 1",
        "/_server 1",
        #"/_servers 1 [{"smpServers":[],"xftpServers":[{}]}]"#, "/_operators [{}]", "/_accept_conditions 1",
        "/_accept_conditions 2 1", "/_accept_conditions 1 3", "/_get", "/_get chat 4 count=1",
        "/_get chat @4", "/_get chat @4 count=x", "/_send @4", "/_send @4 json {}", "/_send @4 json [1]",
        "/_send @4 say x",
        "/_wait item", "/_wait connection 5 done", "/_fetch timeout=", "/_fetch timeout=5 more", "/info ann", "@",
        "@ hi",
        "/_read @4", "/version 2", "/_address", "/_address x", "/_accept", "/_accept ann", "/accept", "/_delete 5",
        "/auto_accept", "/auto_accept maybe", "/_address_settings 1", "/_address_settings 1 []", "/_connect plan x y",
        #"/_address_settings 1 {"autoAccept":{"acceptIncognito":true}}"#,
    ])
    func whatIsNoCommandIsRefused(text: String) {
        #expect(throws: ChatError.commandSyntax) { try CoreCommand(text: text) }
    }

    @Test func cutCommandsNeverTrap() {
        for (command, _) in Self.commands {
            let text = command.text
            for end in text.indices { _ = try? CoreCommand(text: String(text[..<end])) }
        }
    }
}
