import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@testable import ChatCore

/// Commands about chats, messages, cursors, retention and the outbox: their texts.
@Suite struct MessageCommandTests {
    private static let chat = ChatTarget.reference(.direct(ContactID(4)))

    /// A query that says everything.
    private static let fullQuery: ItemQuery = {
        var query = ItemQuery()
        query.chat = .direct(ContactID(4))
        query.after = ChatItemID(7)
        query.since = Timestamp(milliseconds: 0)
        query.until = Timestamp(milliseconds: 1000)
        query.isUnread = true
        query.direction = .sent
        query.support = .member(GroupMemberID(12))
        query.count = 5
        query.takesOldest = true
        query.words = "two words"
        return query
    }()

    /// A query for the newest message of a group outside of its conversations with moderators.
    private static let groupQuery: FindItems = {
        var query = ItemQuery()
        query.direction = .received
        query.support = ItemQuery.Support.none
        query.count = 1
        return FindItems(ProfileID(1), query)
    }()

    private static func find(_ words: String) -> FindItems {
        var query = ItemQuery()
        query.words = words
        return FindItems(ProfileID(1), query)
    }

    private static func messages(_ text: String, answering id: ChatItemID? = nil) -> [ComposedMessage] {
        [ComposedMessage(MessageContent(text), answering: id)]
    }

    /// Commands with their texts.
    static let commands: [(any ChatCommand, String)] = [
        (ShowNotes(), "/notes"), (ShowNotes(ProfileID(3)), "/_notes 3"), (OpenNotes(), "/open_notes"),
        (OpenNotes(ProfileID(3)), "/_open_notes 3"), (ListChats(ProfileID(1)), "/_get chats 1"),
        (ListChats(ProfileID(1), includesPending: true, count: 20), "/_get chats 1 pcc=on count=20"),
        (FindChat(.name("ann")), "/chat @'ann'"),
        (FindChat(.reference(.notes(NoteFolderID(7))), of: ProfileID(3)), "/_chat 3 *7"),
        (ListChats(count: 5), "/chats count=5"), (SummarizeChats(ProfileID(1)), "/_summaries 1"),
        (SummarizeChats(count: 5), "/summaries count=5"), (ShowChat(chat, .last(20)), "/_get chat @4 count=20"),
        (ReadChat(chat, .last(20)), "/_history @4 count=20"),
        (ShowChat(.name("ann"), .before(ChatItemID(9), 3)), "/_get chat @'ann' before=9 count=3"),
        (ListItems(ProfileID(1), .after(ChatItemID(9), 3)), "/_get items 1 after=9 count=3"),
        (ListItems(nil, .last(1)), "/items count=1"), (MarkChatRead(chat), "/_read chat @4"),
        (MarkItemsRead(chat, [ChatItemID(7)]), "/_read chat items @4 7"),
        (MarkItemsRead(.name("items"), [ChatItemID(7), ChatItemID(9)]), "/_read chat items @'items' 7,9"),

        (
            SendMessages(chat, messages("héllo 👋")),
            #"/_send @4 json [{"msgContent":{"type":"text","text":"héllo 👋"},"mentions":{}}]"#
        ),
        (
            SendMessages(.name("ann"), messages("yes", answering: ChatItemID(7)), once: "a key"),
            #"/_send @'ann' once='a key' json "#
                + #"[{"quotedItemId":7,"msgContent":{"type":"text","text":"yes"},"mentions":{}}]"#
        ),
        (
            SendMessages(chat, messages("hi"), ttl: 60),
            #"/_send @4 ttl=60 json [{"msgContent":{"type":"text","text":"hi"},"mentions":{}}]"#
        ),
        (
            SendMessages(chat, messages("hi"), once: "it's", ttl: 0, isSplit: true),
            #"/_send @4 once='it''s' ttl=0 split=on json [{"msgContent":{"type":"text","text":"hi"},"mentions":{}}]"#
        ),
        (
            ForwardMessages(to: .name("ann"), from: .reference(.direct(ContactID(2))), [ChatItemID(7)]),
            "/_forward @'ann' @2 7"
        ),
        (ForwardMessages(to: chat, from: chat, [ChatItemID(7)], ttl: 60), "/_forward @4 @4 7 ttl=60"),
        (EditByText(chat: chat, beginning: "old", text: "new one"), "! @4 (old) new one"),
        (EditByText(chat: .name("ann"), beginning: nil, text: "new"), "! @'ann' new"),
        (DeleteByText(chat: chat, beginning: "oops"), "\\ @4 oops"),
        (ReactByText(chat: chat, beginning: "done", emoji: "👍", isAdded: true), "+👍 @4 done"),
        (AnswerByText(chat: chat, beginning: "tea", text: "yes", isOwn: false), "> @4 (tea) yes"),
        (AnswerByText(chat: chat, beginning: "tea", text: "yes", isOwn: true), ">> @4 (tea) yes"),
        (ForwardByText(chat: chat, source: .name("ann"), beginning: "news"), "@4 <- @'ann' news"),
        (PlanForward(chat, [ChatItemID(7), ChatItemID(8)]), "/_forward plan @4 7,8"),
        (ShowItemInfo(chat, ChatItemID(7)), "/_get item info @4 7"),
        (
            CreateNotes(NoteFolderID(1), messages("milk")),
            #"/_create *1 json [{"msgContent":{"type":"text","text":"milk"},"mentions":{}}]"#
        ),
        (
            SendMessages(chat, messages("hi"), isLive: true, ttl: 60),
            #"/_send @4 live=on ttl=60 json [{"msgContent":{"type":"text","text":"hi"},"mentions":{}}]"#
        ),
        (
            EditItem(chat, ChatItemID(7), MessageContent("hi"), isLive: true),
            #"/_update item @4 7 live=on json {"msgContent":{"type":"text","text":"hi"},"mentions":{}}"#
        ),
        (DeleteItems(chat, [ChatItemID(7)], .internalMark), "/_delete item @4 7 internalMark"),
        (ShowChat(chat, .around(ChatItemID(7), 3)), "/_get chat @4 around=7 count=3"),
        (ShowChat(chat, .initial(3)), "/_get chat @4 initial=3"),
        (ShowChat(chat, .last(3), search: "two words"), "/_get chat @4 count=3 search=two words"),
        (ListItems(in: chat, .last(3)), "/_get items @4 count=3"),
        (
            EditItem(chat, ChatItemID(7), MessageContent("hi")),
            #"/_update item @4 7 json {"msgContent":{"type":"text","text":"hi"},"mentions":{}}"#
        ),
        (DeleteItems(chat, [ChatItemID(7), ChatItemID(8)], .broadcast), "/_delete item @4 7,8 broadcast"),
        (
            React(chat, ChatItemID(7), Reaction.heart, isAdded: false),
            #"/_reaction @4 7 off {"type":"emoji","emoji":"❤"}"#
        ),
        (ShowItem(ChatItemID(7)), "/_item 7"),
        (FindItems(ProfileID(1), ItemQuery()), "/_search 1"), (FindItems(nil, ItemQuery()), "/search"),
        (
            FindItems(ProfileID(1), fullQuery),
            "/_search 1 @4 after=7 since=1970-01-01T00:00:00.000Z until=1970-01-01T00:00:01.000Z unread=on "
                + "messages=sent support=12 first=5 two words"
        ),
        (groupQuery, "/_search 1 messages=received support=off last=1"),
        (find("unread=on"), "/_search 1 words=unread=on"), (find("messages=sent"), "/_search 1 words=messages=sent"),
        (find("@4 hello"), "/_search 1 words=@4 hello"),
        (find("@\u{301}x"), "/_search 1 words=@\u{301}x"), (find(" first=1"), "/_search 1 words= first=1"),
        (find("words=a b"), "/_search 1 words=words=a b"),
        (find("it's \"two\"\nlines "), "/_search 1 it's \"two\"\nlines "),

        (ListCursors(ProfileID(1)), "/_cursors 1"), (ListCursors(), "/cursors"),
        (
            MoveCursor(ProfileID(1), name: "bot", in: .direct(ContactID(4)), .past(ChatItemID(7))),
            "/_cursor 1 'bot' @4 past 7"
        ),
        (MoveCursor(ProfileID(1), name: "it's", .start), "/_cursor 1 'it''s' start"),
        (MoveCursor(ProfileID(1), name: "'\u{301}", .end), "/_cursor 1 '''\u{301}' end"),
        (
            MoveCursor(ProfileID(1), name: "''", in: .direct(ContactID(4)), .nowhere), "/_cursor 1 '''''' @4 nowhere"
        ),
        (MoveCursor(name: "a bot", .end), "/cursor 'a bot' end"),
        (MoveCursor(name: "two\nlines=1", .to(ChatItemID(7))), "/cursor 'two\nlines=1' to 7"),
        (MoveCursor(name: "bot", .failed(ChatItemID(12))), "/cursor 'bot' failed 12"),
        (DeleteCursor(ProfileID(1), name: "a 'b' c"), "/_delete_cursor 1 'a ''b'' c'"),
        (DeleteCursor(name: "bot"), "/delete_cursor 'bot'"),

        (SetRetention(ProfileID(1), .limited(seconds: 60)), "/_ttl 1 60"),
        (SetRetention(ProfileID(1), in: chat, .standard), "/_ttl 1 @4 default"),
        (SetRetention(in: .name("Ann Lee"), .unlimited), "/ttl @'Ann Lee' none"),
        (ShowRetention(ProfileID(1)), "/_ttl 1"), (ShowRetention(), "/ttl"), (ShowChatRetention(chat), "/ttl @4"),
        (SetRetention(ProfileID(1), .unlimited), "/_ttl 1 none"),
        (SetExpiry(.name("ann"), 60), "/_expiry @'ann' 60"), (SetExpiry(chat, nil), "/_expiry @4 none"),
        (
            Purge(
                ProfileID(1), in: .direct(ContactID(4)), before: Timestamp(milliseconds: 1_700_000_000_123),
                isDry: true), "/_purge 1 @4 before=2023-11-14T22:13:20.123Z dry=on"
        ),
        (
            Purge(before: Timestamp(milliseconds: 253_402_300_799_000), isDry: false),
            "/purge before=9999-12-31T23:59:59.000Z"
        ),
        (ListOutbox(ProfileID(1)), "/_outbox 1"), (Flush(timeout: .seconds(3)), "/_flush timeout=3000ms"),
        (DropItem(ChatItemID(7)), "/_drop item 7"),
    ]

    @Test func a_text_means_its_command() throws {
        for (command, text) in MessageCommandTests.commands {
            #expect(command.text == text)
            #expect(AnyHashable(try ChatCommands.parse(text)) == AnyHashable(command), "\(text)")
        }
    }

    @Test func people_may_write_a_command_in_other_words() throws {
        let spellings: [(String, any ChatCommand)] = [
            ("@ann hi there", SendMessages(.name("ann"), MessageCommandTests.messages("hi there"))),
            ("@'Ann Lee' hi", SendMessages(.name("Ann Lee"), MessageCommandTests.messages("hi"))),
            ("/_send @4 text a  b ", SendMessages(MessageCommandTests.chat, MessageCommandTests.messages("a  b "))),
            (
                "/_update item @4 7 text a  b ",
                EditItem(MessageCommandTests.chat, ChatItemID(7), MessageContent("a  b "))
            ),
            ("/t", ListItems(nil, .last(20))), ("/tail 3", ListItems(nil, .last(3))),
            ("/tail @ann 3", ListItems(in: .name("ann"), .last(3))),
            ("/t @ann", ListItems(in: .name("ann"), .last(20))), ("/_get items count=3", ListItems(nil, .last(3))),
            ("+1 @ann", ReactByText(chat: .name("ann"), beginning: "", emoji: "👍", isAdded: true)),
            ("-* @ann hi", ReactByText(chat: .name("ann"), beginning: "hi", emoji: "❤", isAdded: false)),
            ("/* milk, bread", CreateNotes(nil, MessageCommandTests.messages("milk, bread"))),
            ("/live @ann ", SendMessages(.name("ann"), MessageCommandTests.messages(""), isLive: true)),
            (
                "/_send @4 ttl=default text x",
                SendMessages(MessageCommandTests.chat, MessageCommandTests.messages("x"))
            ),
            ("/cs", ListChats()), ("/read @ann", MarkChatRead(.name("ann"))),
            ("/get ttl", ShowRetention()), ("/_ttl 1 0", SetRetention(ProfileID(1), .limited(seconds: 0))),
            ("/ttl week", SetRetention(nil, .limited(seconds: 7 * 86400))), ("/_flush", Flush(timeout: .seconds(30))),
        ]
        for (text, command) in spellings {
            #expect(AnyHashable(try ChatCommands.parse(text)) == AnyHashable(command), "\(text)")
        }
    }

    @Test(arguments: [
        "", " ", "/", "user", "/nothing", "@", "@ hi", "/_get", "/_get chat 4 count=1", "/_get chat @4",
        "/_get chat @4 count=x", "/_send @4",
        "/_send @4 json {}", "/_send @4 json [1]", "/_send @4 say x", "/_read @4", "/_delete 5",
        "/_delete item @4 broadcast",
        "/_cursor 1 'bot'", "/_cursor 1 'bot' past", "/_purge 1", "/_item", "/_item x", "/_search",
    ])
    func a_text_without_meaning_is_refused(text: String) {
        #expect(throws: ChatError.commandSyntax) { try ChatCommands.parse(text) }
    }

    @Test func every_answer_is_read_from_its_json() throws {
        for seed in UInt64(1)...40 {
            var samples = Samples(seed: seed)
            let profile = samples.ownProfile(), chat = samples.chat(), item = samples.located()
            let items = samples.several { $0.located() }, id = ChatItemID(samples.integer())
            let answers: [any ChatResponse] = [
                ChatInfo(profile: profile, chat: chat), ChatItems(profile: profile, items: items),
                ChatList(
                    profile: profile, chats: samples.several { $0.preview() },
                    pending: samples.several { $0.connection() }),
                ChatSummaries(
                    profile: profile,
                    chats: samples.several { samples in
                        let preview = samples.preview()
                        return ChatSummary(preview.chat, preview.lastItem)
                    }, pending: samples.several { $0.connection() }),
                ChatHistory(
                    profile: profile, chat: chat,
                    items: [samples.item(in: chat), samples.item(in: chat)]),
                ItemsRead(profile: profile, chat: chat), MessagesSent.newItems(profile, items),
                MessagesSent.sentBefore(profile, chat, id, nil), MessagesSent.sentBefore(profile, chat, id, item),
                MessagesSent.partsSentBefore(profile, chat, items), NewChatItems(profile: profile, items: items),
                ItemEdited.itemUpdated(profile, item), ItemEdited.itemUnchanged(profile, item),
                ItemsDeleted(profile: profile, deleted: samples.several { $0.deleted() }),
                ReactionChanged(
                    profile: profile, item: item, reaction: samples.reaction(), isAdded: samples.bool(),
                    time: samples.time()),
                ItemInfo(
                    profile: profile, item: item, versions: samples.several { $0.version() },
                    source: samples.maybe { $0.located() }),
                ForwardPlan(
                    profile: profile, count: samples.count(), items: samples.several { ChatItemID($0.integer()) }),
                CallChange(profile, item),
                CursorList(profile: profile, cursors: samples.several { $0.cursor() }),
                CursorMoved(profile: profile, cursor: samples.cursor()),
                CursorDeleted(profile: profile, cursor: samples.cursor()), RetentionInfo(profile: profile),
                ItemsPurged(profile: profile, chats: samples.several { $0.purged() }, isDry: samples.bool()),
            ]
            for answer in answers {
                #expect(try answer.isReadFromItsJSON(), "seed \(seed): \(answer.json.line)")
            }
        }
    }
}

extension Reaction {
    fileprivate static var heart: Reaction {
        guard let heart = Reaction(emoji: "❤") else { preconditionFailure("the heart is a reaction") }
        return heart
    }
}
