import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

@testable import ChatCore

/// Values of each command, in which every text is hostile. What can be absent is absent in one of them.
enum CommandSamples {
    static func all(_ texts: HostileTexts) -> [any ChatCommand] {
        PeopleCommandSamples.all + random(texts)
    }

    /// Others for each seed.
    static func random(_ texts: HostileTexts) -> [any ChatCommand] {
        messages(texts) + program(texts) + groups(texts) + files(texts)
    }

    /// Chats, messages, cursors, retention, outbox.
    static func messages(_ texts: HostileTexts) -> [any ChatCommand] {
        let profile = ProfileID(texts.number()), item = ChatItemID(texts.number())
        return chats(texts, profile) + sending(texts, item) + cursors(texts, profile, item)
            + [
                FindItems(nil, query(texts)), FindItems(profile, query(texts)),
                SetRetention(nil, in: nil, .unlimited), SetRetention(profile, in: texts.target(), .standard),
                SetRetention(profile, .limited(seconds: texts.number())), ShowRetention(), ShowRetention(profile),
                ShowChatRetention(texts.target()),
                SetExpiry(texts.target(), nil), SetExpiry(texts.target(), texts.number()),
                Purge(before: time(texts), isDry: texts.flag()),
                Purge(profile, in: reference(texts), before: time(texts), isDry: texts.flag()),
                ListOutbox(), ListOutbox(profile), Flush(timeout: texts.duration()), DropItem(item),
                MarkOutbox(),
                Flush(after: OutboxMark(task: texts.number(), file: texts.number()), timeout: texts.duration()),
            ]
    }

    private static func chats(_ texts: HostileTexts, _ profile: ProfileID) -> [any ChatCommand] {
        let count = texts.number(below: 5000), item = ChatItemID(texts.number())
        let ranges: [ItemRange] = [
            .last(count), .before(item, count), .after(item, count), .around(item, count), .initial(count),
        ]
        return [
            ShowNotes(), ShowNotes(profile), OpenNotes(), OpenNotes(profile), ListChats(),
            FindChat(texts.target()), FindChat(texts.target(), of: profile),
            ListChats(profile, includesPending: texts.flag(), count: count), SummarizeChats(),
            SummarizeChats(profile, count: count),
            ListChats(
                profile, includesPending: texts.flag(),
                page: texts.one(of: [nil, .last(count), .before(time(texts), count), .after(time(texts), count)]),
                query: texts.one(of: [
                    nil, .filters(isFavorite: texts.flag(), isUnread: texts.flag()), .search(texts.text()),
                ])),
            SetChatSettings(
                texts.target(),
                ChatSettings(
                    isMuted: texts.flag(), sendsReceipts: texts.one(of: [nil, true, false]), isFavorite: texts.flag())),
            SetCustomData(texts.target(), texts.one(of: [nil, [:], ["a": .string(texts.text())]])),
            SetTheme(texts.target(), texts.one(of: [nil, [:], ["a": .string(texts.text())]])),
            MarkChatUnread(texts.target(), texts.flag()), MarkAllRead(), MarkAllRead(profile),
            ClearChat(nil), ClearChat(texts.target()), ListTags(profile),
            CreateTag(TagText(texts.text(), emoji: texts.one(of: [nil, texts.text()]))),
            UpdateTag(TagID(texts.number()), TagText(texts.text())), DeleteTag(TagID(texts.number())),
            OrderTags([TagID(2), TagID(texts.number())]), TagChat(texts.target(), []),
            TagChat(texts.target(), [TagID(texts.number()), TagID(1)]),
            ShowChat(texts.target(), texts.one(of: ranges)), ReadChat(texts.target(), texts.one(of: ranges)),
            ListItems(nil, texts.one(of: ranges)),
            ListItems(profile, texts.one(of: ranges), search: texts.text()),
            ListItems(in: texts.target(), texts.one(of: ranges), search: texts.one(of: [nil, texts.text()])),
            ShowChat(texts.target(), texts.one(of: ranges), search: texts.text()), MarkChatRead(texts.target()),
            MarkItemsRead(texts.target(), [item]),
            MarkItemsRead(texts.target(), [item, ChatItemID(texts.number()), item]),
        ]
    }

    private static func sending(_ texts: HostileTexts, _ item: ChatItemID) -> [any ChatCommand] {
        let message = ComposedMessage(MessageContent(texts.text()), answering: texts.one(of: [nil, item]))
        let reaction = texts.one(of: Reaction.choices.compactMap { Reaction(emoji: $0) })
        return [
            SendMessages(texts.target(), []), SendMessages(texts.target(), [message]),
            SendMessages(
                texts.target(), [message, ComposedMessage(MessageContent(texts.text()))], once: texts.text(),
                isLive: texts.flag(), ttl: texts.one(of: [nil, 0, texts.number()]), isSplit: texts.flag(),
                isSigned: texts.flag()),
            EditByText(chat: texts.target(), beginning: texts.one(of: [nil, "a (b"]), text: "new (text)"),
            DeleteByText(chat: texts.target(), beginning: "two words "),
            ReactByText(
                chat: texts.target(), beginning: texts.one(of: ["", "two words"]),
                emoji: texts.one(of: Reaction.choices), isAdded: texts.flag()),
            AnswerByText(chat: texts.target(), beginning: "", text: "(yes) x", isOwn: texts.flag()),
            SearchByText(chat: .name("tea friend"), text: "(yes) x"),
            ForwardByText(chat: texts.target(), source: texts.target(), beginning: "text "),
            CreateNotes(NoteFolderID(texts.number()), [message]), CreateNotes(nil, [message, message]),
            ForwardMessages(to: texts.target(), from: texts.target(), [item, item]),
            ForwardMessages(to: texts.target(), from: texts.target(), [item], ttl: texts.number()),
            PlanForward(texts.target(), [item, item]), ShowItemInfo(texts.target(), item),
            EditItem(texts.target(), item, MessageContent(texts.text())),
            EditItem(texts.target(), item, MessageContent(texts.text()), isLive: true),
            DeleteItems(texts.target(), [item], texts.one(of: DeletionMode.allCases)),
            React(texts.target(), item, reaction, isAdded: texts.flag()), ShowItem(item),
        ] + moderating(texts, item, reaction)
    }

    private static func moderating(
        _ texts: HostileTexts, _ item: ChatItemID, _ reaction: Reaction
    ) -> [any ChatCommand] {
        let names = [texts.text(): GroupMemberID(texts.number()), "ann": GroupMemberID(2)]
        return [
            SendMessages(texts.target(), [ComposedMessage(MessageContent(texts.text()), mentions: names)]),
            EditItem(texts.target(), item, MessageContent(texts.text()), mentions: names),
            ModerateItems(texts.target(), [item, ChatItemID(7)]),
            ShowReactionMembers(ProfileID(texts.number()), texts.target(), item, reaction),
            ListContentTypes(texts.target()),
            ReportMessage(texts.target(), item, .spam, "two words"), ReportMessage(texts.target(), item, .content),
            ReportMessage(texts.target(), item, ReportReason(rawValue: texts.text()), "text"),
            ArchiveReports(texts.target()),
            DeleteReports(texts.target(), [item], texts.one(of: DeletionMode.allCases)),
            DeleteSupportChat(texts.target(), GroupMemberID(texts.number())),
        ]
    }

    private static func cursors(_ texts: HostileTexts, _ profile: ProfileID, _ item: ChatItemID) -> [any ChatCommand] {
        let moves: [CursorMove] = [.start, .end, .past(item), .to(item), .nowhere, .failed(item)]
        return [
            ListCursors(), ListCursors(profile), MoveCursor(name: texts.text(), texts.one(of: moves)),
            MoveCursor(profile, name: texts.text(), in: reference(texts), texts.one(of: moves)),
            DeleteCursor(name: texts.text()), DeleteCursor(profile, name: texts.text()),
        ]
    }

    private static func query(_ texts: HostileTexts) -> ItemQuery {
        var query = ItemQuery()
        if texts.flag() { query.chat = reference(texts) }
        if texts.flag() { query.after = ChatItemID(texts.number()) }
        if texts.flag() { query.since = time(texts) }
        if texts.flag() { query.until = time(texts) }
        query.isUnread = texts.flag()
        query.support = texts.one(of: [nil, .all, .member(GroupMemberID(texts.number()))])
        if texts.flag() { (query.count, query.takesOldest) = (texts.number(below: 5000), texts.flag()) }
        query.words = texts.one(of: [nil, texts.text(), texts.text()])
        return query
    }

    private static func reference(_ texts: HostileTexts) -> ChatReference { texts.reference() }

    private static func time(_ texts: HostileTexts) -> Timestamp {
        let range = Timestamp.range
        return texts.one(of: [range.lowerBound, range.upperBound, Timestamp(milliseconds: 1_700_000_000_123)])
    }

    /// Network, contacts' connections, calls, sessions, the program.
    static func program(_ texts: HostileTexts) -> [any ChatCommand] {
        network(texts) + contacts(texts) + connections(texts) + calls(texts) + sessions(texts)
            + [ShowStatus(), ShowStatus(ProfileID(texts.number())), ShowVersion()] + lifecycle(texts)
    }

    private static func lifecycle(_ texts: HostileTexts) -> [any ChatCommand] {
        [
            StartChat(), StartChat(isMain: texts.flag(), sendsFiles: texts.flag(), usesLargeLinkData: texts.flag()),
            StopChat(), SetFilesFolder(texts.text()), SetTemporaryFolder(texts.text()), CheckRunning(),
            SuspendChat(timeout: Int64(texts.number(below: 9))), ActivateChat(restores: texts.flag()), Resubscribe(),
            Reconnect(), Reconnect(ProfileID(texts.number()), server: "smp://a@b"),
            SetFilePaths(FilePaths(files: texts.text(), temporary: texts.text(), assets: texts.text())),
            SetFilePaths(
                FilePaths(
                    files: texts.text(), temporary: texts.text(), assets: texts.text(), remoteHosts: texts.text())),
            SetFileEncryption(texts.flag()), SetContactMerging(texts.flag()),
            ExportStore(ArchivePlace(path: texts.text(), isUncompressed: texts.one(of: [nil, true]))),
            ImportStore(ArchivePlace(path: texts.text())),
            ImportStore(ArchivePlace(path: texts.text()), passphrase: PlainPassword(texts.text())), DeleteStore(),
            TestStoreKey(PlainPassword(texts.text())),
            ChangeStoreKey(StoreKeys(current: nil, new: PlainPassword("k" + texts.text()))),
            ChangeStoreKey(StoreKeys(current: PlainPassword("k" + texts.text()), new: nil)),
        ] + diagnostics(texts) + HelpSection.allCases.map { ShowHelp($0) }
    }

    private static func diagnostics(_ texts: HostileTexts) -> [any ChatCommand] {
        let profile = ProfileID(texts.number())
        let object = OpaqueObject(["smpProxyMode": .string(texts.text()), "other": [1, .null]])
        let kinds: [any ChatCommand] = ShowDiagnostics.Kind.allCases.map { ShowDiagnostics($0) }
        return kinds + [
            ShowServersSummary(profile), ResetStatistics(), CountSubscriptions(profile), CompareConnections(),
            CompareConnections(showsIDs: true),
            ShowNetwork(), SetNetwork(NetworkConfiguration(NetworkSettings())), NoteNetwork(object),
            SaveAppSettings(object), ShowAppSettings(), ShowAppSettings(object),
        ]
    }

    private static func network(_ texts: HostileTexts) -> [any ChatCommand] {
        [
            FetchMessages(timeout: texts.duration(), idle: texts.duration()), FetchMessages(timeout: .seconds(60)),
            FetchMessages(timeout: texts.duration(), files: .small), ReceiveMessages(files: FileAcceptance()),
            ReceiveMessages(), ReceiveMessages(timeout: texts.duration(), files: .all),
            DeliverMessages(texts.target(), timeout: texts.duration()),
            WaitForItem(ChatItemID(texts.number()), timeout: texts.duration()),
            WaitForDelivery(of: ChatItemID(texts.number()), timeout: texts.duration()),
            WaitForConnection(
                ConnectionID(texts.number()), texts.one(of: ConnectionStage.allCases), timeout: texts.duration()),
        ]
    }

    private static func contacts(_ texts: HostileTexts) -> [any ChatCommand] {
        [
            ListContacts(), ListContacts(ProfileID(texts.number())),
            ShowContact(name: texts.text()), ShowContact(ProfileID(texts.number()), name: texts.text()),
            SetAlias(texts.target(), texts.one(of: [nil, texts.text()])),
            EnableContact(texts.person()),
            SetContactPreferences(texts.target(), texts.one(of: [[:], ["a": .string(texts.text())]])),
            SetContactFeature(
                texts.person(), texts.one(of: Preferences.Feature.allCases),
                texts.one(of: [nil, .always, .yes, .no])),
            SetContactTimer(
                texts.target(),
                texts.one(of: [.standard, .forbidden, .allowed(seconds: nil), .allowed(seconds: 5)])),
            RenameContact(texts.target(), name: texts.text()), MuteContact(texts.target(), true),
            MuteChat(texts.target(), texts.one(of: [.all, .none, .mentions])),
            MuteContact(texts.target(), false), BlockContact(texts.target(), texts.flag()),
            DeleteChat(texts.target(), texts.one(of: ChatDeletion.allCases), notifies: texts.flag()),
            ShowSecurityCode(texts.person()), VerifySecurityCode(texts.person(), texts.text()),
            VerifySecurityCode(texts.person(), "12345 67890"), VerifySecurityCode(texts.person(), nil),
            SetPostQuantum(texts.target(), texts.flag()),
        ]
    }

    private static func connections(_ texts: HostileTexts) -> [any ChatCommand] {
        [
            SetReceipts(nil, texts.flag(), clearsContacts: texts.flag()),
            SetReceipts(ProfileID(texts.number()), texts.flag(), clearsContacts: texts.flag()),
            SetAllReceipts(texts.flag()), SetContactReceipts(texts.target(), texts.one(of: [true, false, nil])),
            SwitchQueue(texts.person()), AbortSwitch(texts.person()),
            SynchronizeRatchet(texts.person(), isForced: texts.flag()),
        ]
    }

    private static func calls(_ texts: HostileTexts) -> [any ChatCommand] {
        let session = CallSession(description: texts.text(), candidates: texts.text())
        let type = CallType(texts.one(of: [.audio, .video]), canEncrypt: texts.flag())
        let unknown: JSONObject = ["unknown": .string(texts.text())]
        return [
            ListCalls(), ListCalls(ProfileID(texts.number())),
            AcceptCall(texts.target(), CallOffer(type, session, key: texts.text(), otherFields: unknown)),
            AcceptCall(texts.target(), CallOffer(type, session)),
            RejectCall(texts.target()), RejectCall(texts.target(), tells: texts.flag()), EndCall(texts.target()),
            InviteToCall(texts.target(), type), AnswerCall(texts.target(), session),
            AddCandidates(texts.target(), texts.text()),
            SetCallStatus(texts.target(), texts.one(of: StreamStatus.allCases)),
        ]
    }

    private static func sessions(_ texts: HostileTexts) -> [any ChatCommand] {
        let key = texts.one(of: SessionKey.allCases)
        return [
            ShowSessionValue(key), SetSessionValue(key, texts.text()), SetSessionValue(key, nil),
            ShowDraft(texts.target()), SetDraft(texts.target(), nil),
            SetDraft(texts.target(), Draft(text: texts.text(), answers: ChatItemID(texts.number()))),
            SetDraft(texts.target(), Draft(text: texts.text())), AddLine(texts.text()),
            ListLines(count: texts.number(below: 5000)), CountUnread(), CountUnread(ProfileID(texts.number())),
            SetHome(nil, nil), SetHome(ProfileID(texts.number()), nil), SetHome(nil, ContactID(texts.number())),
            SetHome(ProfileID(texts.number()), ContactID(texts.number())),
            ShowOnboarding(), AdvanceOnboarding(to: texts.one(of: OnboardingStage.allCases)),
        ]
    }
}
