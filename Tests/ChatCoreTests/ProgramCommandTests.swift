import AgentProtocol
import ChatProtocol
import JSONCoding
import Testing

@testable import ChatCore

/// The texts of the commands about the network, contacts and their connections, calls, sessions and the program.
@Suite struct ProgramCommandTests {
    private static let ann = ChatTarget.name("ann"), four = ChatTarget.reference(.direct(ContactID(4)))
    private static let offer = CallOffer(
        CallType(.video, canEncrypt: true), CallSession(description: "s", candidates: "c"), key: "k")

    /// Commands with the text that they print.
    private static let texts: [(any ChatCommand, String)] = [
        (FetchMessages(timeout: .seconds(60), idle: .milliseconds(500)), "/_fetch timeout=60000ms idle=500ms"),
        (ReceiveMessages(timeout: .seconds(3)), "/_receive timeout=3000ms"), (ReceiveMessages(), "/_receive"),
        (DeliverMessages(ann, timeout: .seconds(3)), "/_deliver @'ann' timeout=3000ms"),
        (WaitForItem(ChatItemID(12), timeout: .seconds(30)), "/_wait item 12 timeout=30000ms"),
        (WaitForDelivery(of: ChatItemID(12), timeout: .seconds(30)), "/_wait delivery 12 timeout=30000ms"),
        (
            WaitForConnection(ConnectionID(5), .ready, timeout: .seconds(1)),
            "/_wait connection 5 ready timeout=1000ms"
        ),
        (ListContacts(ProfileID(1)), "/_contacts 1"), (ListContacts(), "/contacts"),
        (ShowContact(name: "ann"), "/info @'ann'"),
        (ShowContact(ProfileID(3), name: "Ann Lee"), "/_info 3 @'Ann Lee'"),
        (RenameContact(ann, name: "Ann Lee"), "/_rename @'ann' 'Ann Lee'"),
        (MuteContact(four, true), "/_mute contact @4"), (MuteContact(four, false), "/_unmute contact @4"),
        (
            SetChatSettings(four, ChatSettings(isMuted: true, sendsReceipts: nil, isFavorite: false)),
            #"/_settings @4 {"enableNtfs":"none","favorite":false}"#
        ),
        (SetAlias(four, "Ann at work"), "/_set alias @4 Ann at work"), (SetAlias(four, nil), "/_set alias @4"),
        (
            SetContactPreferences(four, ["voice": .object(["allow": "no"])]),
            #"/_set prefs @4 {"voice":{"allow":"no"}}"#
        ),
        (SetContactFeature(ann, .voice, .no), "/set voice @'ann' no"),
        (SetContactFeature(ann, .fullDelete, nil), "/set delete @'ann'"),
        (SetContactTimer(ann, .allowed(seconds: 60)), "/set disappear @'ann' yes 60"),
        (SetFeature(.voice, .always), "/set voice always"), (SetFeature(.timedMessages, .no), "/set disappear no"),
        (TagChat(four, [TagID(1), TagID(2)]), "/_tags @4 1,2"), (TagChat(four, []), "/_tags @4"),
        (ListTags(ProfileID(1)), "/_get tags 1"), (DeleteTag(TagID(1)), "/_delete tag 1"),
        (CreateTag(TagText("work", emoji: "💼")), #"/_create tag {"text":"work","emoji":"💼"}"#),
        (UpdateTag(TagID(2), TagText("office")), #"/_update tag 2 {"text":"office"}"#),
        (OrderTags([TagID(2), TagID(1)]), "/_reorder tags 2,1"),
        (MarkChatUnread(four, true), "/_unread chat @4 on"), (MarkAllRead(ProfileID(1)), "/_read user 1"),
        (ClearChat(four), "/_clear chat @4"), (ClearChat(nil), "/clear *"),
        (BlockContact(ann, false), "/_block @'ann' off"),
        (DeleteChat(four, .full, notifies: true), "/_delete @4 full"),
        (DeleteChat(ann, .entity, notifies: false), "/_delete @'ann' entity notify=off"),
        (ShowSecurityCode(ann), "/_get code @'ann'"),
        (VerifySecurityCode(ann, "12345 678"), "/_verify code @'ann' 12345 678"),
        (VerifySecurityCode(four, nil), "/_verify code @4"),
        // Without a code an earlier comparison is forgotten: an empty one must not be read as none.
        (VerifySecurityCode(four, ""), #"/_verify code @4 code="""#),
        (SetPostQuantum(.name("Ann Lee"), true), "/_pq @'Ann Lee' on"),
        (SetReceipts(ProfileID(1), true, clearsContacts: false), "/_set receipts contacts 1 on"),
        (
            SetReceipts(ProfileID(1), false, clearsContacts: true),
            "/_set receipts contacts 1 off clear_overrides=on"
        ),
        (SetReceipts(nil, true, clearsContacts: false), "/set receipts contacts on"),
        (SetAllReceipts(false), "/set receipts all off"),
        (SetContactReceipts(four, nil), "/_receipts @4 default"),
        (SetContactReceipts(ann, true), "/_receipts @'ann' on"),
        (SwitchQueue(four), "/_switch @4"), (AbortSwitch(four), "/_abort switch @4"),
        (SynchronizeRatchet(four, isForced: false), "/_sync @4"),
        (SynchronizeRatchet(.name("Ann Lee"), isForced: true), "/_sync @'Ann Lee' force=on"),
        (ListCalls(ProfileID(1)), "/_call get 1"), (ListCalls(), "/_call get"),
        (RejectCall(ann, tells: false), "/_call reject @'ann'"), (RejectCall(four), "/_call reject @4 tell=on"),
        (EndCall(four), "/_call end @4"), (SetCallStatus(four, .connected), "/_call status @4 connected"),
        (AddCandidates(four, "c"), #"/_call extra @4 {"rtcIceCandidates":"c"}"#),
        (
            AnswerCall(four, CallSession(description: "s", candidates: "c")),
            #"/_call answer @4 {"rtcSession":"s","rtcIceCandidates":"c"}"#
        ),
        (
            InviteToCall(four, CallType(.video, canEncrypt: true)),
            #"/_call invite @4 {"media":"video","capabilities":{"encryption":true}}"#
        ),
        (
            AcceptCall(four, offer),
            #"/_call offer @4 {"callType":{"media":"video","capabilities":{"encryption":true}},"#
                + #""rtcSession":{"rtcSession":"s","rtcIceCandidates":"c"},"callDhPubKey":"k"}"#
        ),
        (ShowSessionValue(.place), "/_session show place"), (SetSessionValue(.gate, nil), "/_session remove gate"),
        (SetSessionValue(.place, #" {"v":1}"#), #"/_session set place " {\"v\":1}""#),
        (ShowDraft(four), "/_draft @4"), (SetDraft(.name("Ann Lee"), nil), "/_draft @'Ann Lee' off"),
        (
            SetDraft(four, Draft(text: " a\n", answers: ChatItemID(7))),
            #"/_draft @4 json {"text":" a\n","answers":7}"#
        ),
        (AddLine(" list  'x' "), #"/_line " list  'x' ""#), (ListLines(count: 20), "/_lines count=20"),
        (CountUnread(ProfileID(1)), "/_unread 1"), (CountUnread(), "/unread"),
        (SetHome(ProfileID(1), ContactID(4)), "/_home 1 @4"), (SetHome(nil, nil), "/home off"),
        (ShowOnboarding(), "/_onboarding"), (AdvanceOnboarding(to: .complete), "/_onboarding complete"),
        (ShowStatus(), "/_status"), (ShowStatus(ProfileID(2)), "/_status 2"), (ShowVersion(), "/version"),
        (StartChat(), "/_start"), (StartChat(isMain: false), "/_start main=off"), (StopChat(), "/_stop"),
        (StartChat(sendsFiles: false, usesLargeLinkData: false), "/_start snd_files=off large_link_data=off"),
        (CheckRunning(), "/_check running"), (SuspendChat(timeout: 5_000_000), "/_app suspend 5000000"),
        (ActivateChat(), "/_app activate"), (ActivateChat(restores: false), "/_app activate restore=off"),
        (Resubscribe(), "/_resubscribe all"), (Reconnect(), "/reconnect"),
        (Reconnect(ProfileID(1), server: "smp://a@b"), "/reconnect 1 smp://a@b"),
        (SetFileEncryption(true), "/_files_encrypt on"), (SetContactMerging(false), "/contact_merge off"),
        (
            SetFilePaths(FilePaths(files: "f", temporary: "t", assets: "a")),
            #"/set file paths {"appFilesFolder":"f","appTempFolder":"t","appAssetsFolder":"a"}"#
        ),
        (ShowDiagnostics(.subscriptions), "/get subs"), (ShowDiagnostics(.locks), "/debug locks"),
        (ShowServersSummary(ProfileID(1)), "/get servers summary 1"), (ResetStatistics(), "/reset servers stats"),
        (CountSubscriptions(ProfileID(1)), "/get subs total 1"),
        (CompareConnections(showsIDs: true), "/_connections diff show_ids=on"),
        (ShowNetwork(), "/network"), (ShowAppSettings(), "/_get app settings"), (ShowHelp(.main), "/help"),
        (NoteNetwork(OpaqueObject(["online": true])), #"/_network info {"online":true}"#),
        (SaveAppSettings(OpaqueObject(["a": 1])), #"/_save app settings {"a":1}"#),
        (ExportStore(ArchivePlace(path: "a.zip")), #"/_db export {"archivePath":"a.zip"}"#),
        (ImportStore(ArchivePlace(path: "a.zip")), #"/_db import {"archivePath":"a.zip"}"#),
        (
            ImportStore(ArchivePlace(path: "a.zip"), passphrase: PlainPassword("words")),
            #"/_db import {"archivePath":"a.zip","passphrase":"words"}"#
        ),
        (DeleteStore(), "/_db delete"),
        (
            ChangeStoreKey(StoreKeys(current: nil, new: PlainPassword("new"))),
            #"/_db encryption {"currentKey":"","newKey":"new"}"#
        ),
        (TestStoreKey(PlainPassword("k")), #"/db test key "k""#),
        (ShowHelp(.database), "/help db"), (SetActiveServers([]), "/smp default"), (ListFileServers(), "/xftp"),
        (NoteConditions(1), "/_conditions_notified 1"),
        (SwitchOperators([.init(.simplex, true), .init(.flux, false)]), "/operators 1:on,2:off"),
        (SetFilesFolder("/tmp/a b"), "/_files_folder /tmp/a b"), (SetTemporaryFolder("t"), "/_temp_folder t"),
    ]

    @Test func each_command_has_its_text() throws {
        for (command, text) in ProgramCommandTests.texts {
            #expect(command.text == text)
            try expect(text, means: command)
        }
    }

    private func expect<Command: ChatCommand>(_ text: String, means command: Command) throws {
        #expect(try ChatCommands.parse(text) as? Command == command, "\(text)")
    }

    /// Other spellings of the same commands.
    @Test func people_may_write_otherwise() throws {
        let others: [(String, any ChatCommand)] = [
            ("/_fetch", FetchMessages(timeout: .seconds(60))),
            ("/_fetch timeout=5", FetchMessages(timeout: .seconds(5))),
            ("/_fetch timeout=5s idle=1s", FetchMessages(timeout: .seconds(5), idle: .seconds(1))),
            // Half a year, in milliseconds more than 32 bits.
            ("/_receive timeout=15768000000ms", ReceiveMessages(timeout: .seconds(15_768_000))),
            ("/_deliver @ann", DeliverMessages(Self.ann, timeout: .seconds(30))),
            ("/_wait item 12", WaitForItem(ChatItemID(12), timeout: .seconds(30))),
            ("/i @ann", ShowContact(name: "ann")), ("/info @ann", ShowContact(name: "ann")),
            ("/set disappear @ann yes 1h", SetContactTimer(Self.ann, .allowed(seconds: 3600))),
            ("/set disappear @ann week", SetContactTimer(Self.ann, .allowed(seconds: 7 * 86400))),
            ("/clear @ann", ClearChat(Self.ann)), ("/d @ann", DeleteChat(Self.ann, .full, notifies: true)),
            ("/delete @ann notify=off", DeleteChat(Self.ann, .full, notifies: false)),
            ("/mute @ann", MuteChat(Self.ann, .none)), ("/unmute @ann", MuteChat(Self.ann, .all)),
            ("/unmute mentions #team", MuteChat(.groupName("team"), .mentions)),
            (
                #"/_settings @4 {"enableNtfs":"all","sendRcpts":false}"#,
                SetChatSettings(Self.four, ChatSettings(isMuted: false, sendsReceipts: false, isFavorite: false))
            ),
            ("/_delete @4", DeleteChat(Self.four, .full, notifies: true)),
            ("/_delete @'item' messages", DeleteChat(.name("item"), .messages, notifies: true)),
            ("/code @ann", ShowSecurityCode(Self.ann)), ("/verify @ann", VerifySecurityCode(Self.ann, nil)),
            ("/verify @ann 12345 678", VerifySecurityCode(Self.ann, "12345 678")),
            ("/pq @ann off", SetPostQuantum(Self.ann, false)),
            (
                "/_set receipts contacts 1 on clear_overrides=off",
                SetReceipts(ProfileID(1), true, clearsContacts: false)
            ),
            ("/receipts @ann off", SetContactReceipts(Self.ann, false)),
            ("/switch @ann", SwitchQueue(Self.ann)), ("/abort switch @ann", AbortSwitch(Self.ann)),
            ("/sync @ann force=on", SynchronizeRatchet(Self.ann, isForced: true)), ("/v", ShowVersion()),
        ]
        for (text, command) in others { try expect(text, means: command) }
    }

    @Test(arguments: [
        "", " ", "/", "/_fetch timeout=", "/_fetch timeout=5 more", "/_fetch timeout=9999999999",
        "/_receive timeout=-1",
        "/_receive timeout=99999999999999ms", "/_deliver", "/_wait", "/_wait item", "/_wait connection 5 done",
        "/_contacts",
        "/contacts 1", "/info", "/_info", "/_rename @ann", "/_settings @4", "/_settings @4 {}",
        "/mute",
        "/_block @4", "/_block @4 yes", "/_delete", "/_delete 5", "/_delete @4 some", "/_delete @4 full quietly",
        "/_get code", "/_verify @4", "/_pq @4", "/set receipts", "/_set receipts contacts on", "/set receipts all",
        "/_receipts @4", "/_switch", "/_abort @4", "/_sync @4 force", "/_call", "/_call offer @4", "/_call offer @4 {}",
        "/_session show", "/_session show nothing", "/_session set place", "/_session set place 1", "/_draft",
        "/_draft @4 json", "/_draft @4 text x", "/_line", "/_line x", "/_lines", "/_lines 20", "/_home 1", "/_home 1 4",
        "/home @ann", "/_onboarding done", "/_status x", "/version 2", "/versions",
    ])
    func other_texts_are_refused(text: String) {
        #expect(throws: ChatError.commandSyntax) { try ChatCommands.parse(text) }
    }

    // MARK: - What other sessions hear

    @Test func other_sessions_hear_of_changes() {
        let texts = HostileTexts(seed: 1)
        var owner = ResponseSamples.profile(texts)
        let contact = ResponseSamples.contact(texts)
        func check(_ renamed: SessionEffect?, _ cleared: SessionEffect?, _ deleted: SessionEffect?) {
            let info = ContactInfo(owner, contact), gone = DeletedChat(owner, .direct(contact))
            #expect(RenameContact(Self.ann, name: "x").effect(of: info) == renamed)
            #expect(MuteContact(Self.ann, true).effect(of: info) == renamed)
            #expect(DeleteChat(Self.ann, .messages, notifies: false).effect(of: gone) == cleared)
            #expect(DeleteChat(Self.ann, .full, notifies: true).effect(of: gone) == deleted)
        }
        owner.isHidden = false
        check(.listsChanged, .listsChanged, .chatDeleted(.direct(contact.id)))
        // What is done in a hidden profile is not shown.
        owner.isHidden = true
        check(nil, nil, nil)
        #expect(SetSessionValue(.gate, nil).effect(of: CommandOK()) == .gateChanged)
        #expect(SetSessionValue(.place, "x").effect(of: CommandOK()) == nil)
    }
}
