import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit
import Testing

@testable import Commands

/// A start under the name of the official program.
@Suite struct OfficialStartTests {
    private let environment = ["HOME": "/home/ann"]
    private static let relay = "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example"

    private func start(_ arguments: String...) throws -> OfficialStart {
        guard case .start(let start) = try OfficialStart.request(arguments, environment: environment) else {
            throw Failure.officialWithoutTerminal
        }
        return start
    }

    @Test func every_option_of_the_official_program_is_declared() {
        // The options of `simplex-chat --help`, version 7.0.0.6.
        let names = """
            version database key disable-vacuum server xftp-server socks-proxy socks-mode host-mode required-host-mode smp-proxy
            smp-proxy-fallback smp-web-port smp-web-port-servers tcp-timeout log-level log-tls-errors connections log-hosts
            log-agent log-file queue-size device-name relay relay-web-domain relay-web-dir relay-web-cors-file
            relay-web-interval relay-web-item-count ha yes-migrate disable-backup backup-directory maintenance execute time
            execute-log chat-server-port files-folder temp-folder reactions allow-instant-files auto-accept-files mute
            mark-read create-bot-display-name create-bot-allow-files create-bot-client-service
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        let options = CommandTree.official.root.options
        let known = Set(options.map(\.name))
        #expect(known == Set(names).union(["help", "user-display-name"]))
        #expect(known.count == options.count)
        let letters = options.compactMap(\.letter) + OfficialOptions.letters.keys
        #expect(Set(letters) == Set("vdkslcqyfretpmhxa"))
        #expect(Set(letters).count == letters.count)
        // It is a program without commands.
        #expect(CommandTree.official.defects().map { "\($0)" } == ["the program: nounWithoutVerbs"])
    }

    @Test func the_manual_lists_options_without_an_effect() {
        let manual = CommandTree.Topic.bots.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for group in OfficialOptions.ignored + OfficialOptions.refused {
            for option in group.options {
                #expect(manual.contains("--\(option.declaration.name)"), "\(option.declaration.name)")
            }
        }
    }

    @Test func values_may_be_joined_or_apart() throws {
        let spellings = [
            ["-p", "5225", "-d", "/srv/bot", "-y", "-t", "0"], ["-yp5225", "-d/srv/bot", "-t0"],
            ["--chat-server-port=5225", "--database", "/srv/bot", "--yes-migrate", "--time=0"],
        ]
        for words in spellings {
            guard case .start(let start) = try OfficialStart.request(words, environment: environment) else {
                Issue.record("no start")
                continue
            }
            #expect(start.prefix == "/srv/bot")
            #expect(start[OfficialOptions.time] == 0)
            #expect(start.words == ["--no-input", "api", "--websocket", "127.0.0.1:5225"])
        }
        // Any word after an option is its value, also one that looks like an option.
        let start = try start("-e", "-k", "-d", "--help")
        #expect(start.words.suffix(3) == ["api", "--", "-k"])
        #expect(start.prefix?.hasSuffix("/--help") == true)
    }

    @Test func the_prefix_names_the_store() throws {
        let named = try start("-d", "/srv/bot")
        #expect(named.folder?.path == "/srv/bot.tacit")
        #expect(named.environment(environment, hasKey: false)["TACIT_DIR"] == "/srv/bot.tacit")
        #expect(try start().folder?.path == "/home/ann/.simplex/simplex_v1.tacit")
        let relative = try start("-d", "bot")
        #expect(relative.prefix?.hasPrefix("/") == true && relative.prefix?.hasSuffix("/bot") == true)
        guard case .start(let own) = try OfficialStart.request([], environment: ["TACIT_DIR": "/srv/own"]) else {
            Issue.record("no start")
            return
        }
        let variables = own.environment(["TACIT_DIR": "/srv/own"], hasKey: false)
        #expect(own.folder == nil && variables["TACIT_DIR"] == "/srv/own")
        #expect(throws: Failure.self) { try OfficialStart.request([], environment: [:]) }
    }

    @Test func options_become_settings_of_tacit() throws {
        let start = try start(
            "-x", "-l", "debug", "--log-file", "/tmp/log", "--host-mode", "onion", "--required-host-mode",
            "--smp-proxy", "always", "--smp-proxy-fallback=no", "-p", "5225", "-a", "-s", Self.relay)
        let variables = start.environment(
            ["TACIT_KEY_FILE": "/key", "HOME": "/home/ann"], hasKey: true)
        #expect(variables["TACIT_PROXY"] == "socks5h://127.0.0.1:9050")
        #expect(variables["TACIT_ONION"] == "require")
        #expect(variables["TACIT_SMP_PROXY"] == "always" && variables["TACIT_SMP_PROXY_FALLBACK"] == "no")
        #expect(variables["TACIT_KEY_FILE"] == nil)
        #expect(start.words.prefix(2) == ["-vv", "--log-file=/tmp/log"])
        #expect(start.acceptedFiles?.sizes[.file] == 1_048_576)
        #expect(start[OfficialOptions.servers]?.count == 1)
        let other = try self.start("--socks-proxy", "user:secret@10.0.0.1:1080", "-s", "\(Self.relay) \(Self.relay)1")
        #expect(other.environment([:], hasKey: false)["TACIT_PROXY"] == "socks5h://user:secret@10.0.0.1:1080")
        #expect(other[OfficialOptions.servers]?.count == 2)
        #expect(other.acceptedFiles == nil)
    }

    @Test func a_command_counts_more_than_a_port() throws {
        let start = try start("-p", "5225", "-e", "@bob -hi")
        guard case .command("@bob -hi") = start.mode else {
            Issue.record("\(start.mode)")
            return
        }
        guard case .session = try self.start("-e", "").mode else {
            Issue.record("an empty command is none")
            return
        }
    }

    @Test(arguments: [
        ["--nope"], ["-Q"], ["word"], ["-p"], ["-p", "abc"], ["-p5225x"], ["-t", "x"], ["-l", "trace"], ["-s", "smp1"],
        ["-s", "xftp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@xftp.example"], ["--execute-log", "some"],
        ["--no-mute"], ["--json"], ["badge"],
    ])
    func other_words_are_mistakes(_ words: [String]) {
        let error = #expect(throws: UsageError.self) {
            try OfficialStart.request(words, environment: ["HOME": "/home/ann"])
        }
        if let error { #expect(Failure(error, in: .official).exit == .usage) }
    }

    @Test func options_without_an_equivalent_are_refused_with_a_reason() throws {
        for option in ["--relay", "--smp-web-port"] {
            let failure = #expect(throws: Failure.self) { try start("-p", "5225", option) }
            #expect(failure?.exit == .usage && failure?.what.contains(option) == true && failure?.why.isEmpty == false)
        }
        #expect(throws: Failure.officialBotWithoutName) { try start("--create-bot-allow-files") }
        #expect(throws: Failure.self) {
            try start("--create-bot-display-name", "bot", "--user-display-name", "ann")
        }
    }

    @Test func questions_are_answered_before_anything_else() throws {
        guard case .version = try OfficialStart.request(["-v", "-p", "5225"], environment: [:]) else {
            Issue.record("no version")
            return
        }
        for (word, isFull) in [("-h", false), ("--help", true)] {
            guard case .help(isFull) = try OfficialStart.request(["-p", "5225", word], environment: [:]) else {
                Issue.record("no help for \(word)")
                return
            }
        }
    }
}

/// The texts of the official terminal.
@Suite struct TerminalTextTests {
    /// 2026-11-27 20:14 UTC.
    private let text = TerminalText(now: 1_795_810_440_000, usesUTC: true)

    private func lines(_ json: String) throws -> [String]? {
        guard let object = try JSONValue(decoding: Array(json.utf8)).object else { return nil }
        return text.lines(of: object)
    }

    private func error(_ json: String) throws -> [String]? {
        guard let object = try JSONValue(decoding: Array(json.utf8)).object else { return nil }
        return text.lines(ofError: object)
    }

    @Test func profiles() throws {
        #expect(
            try lines(#"{"type":"activeUser","user":{"profile":{"displayName":"alice","fullName":""}}}"#)
                == ["user profile: alice", "use /p <name> [<bio>] to change it"])
        #expect(
            try lines(
                #"""
                {"type":"usersList","users":[
                {"user":{"localDisplayName":"joe","activeUser":false,"showNtfs":true,"profile":{"displayName":"joe","fullName":"","peerType":"bot"}},"unreadCount":2},
                {"user":{"localDisplayName":"Ann Lee","activeUser":true,"showNtfs":false,"profile":{"displayName":"Ann Lee","fullName":"","shortDescr":"hi"}},"unreadCount":0},
                {"user":{"localDisplayName":"x","activeUser":false,"showNtfs":true,"viewPwdHash":{},"profile":{"displayName":"x","fullName":""}},"unreadCount":0}]}
                """#) == ["'Ann Lee' (hi) (active, muted)", "joe (unread: 2) (bot)"])
    }

    @Test func contacts() throws {
        let contact = #"""
            {"contactId":4,"localDisplayName":"bob","profile":{"displayName":"bob","fullName":"","localAlias":"B"},
            "activeConn":{"pqSndEnabled":true,"pqRcvEnabled":true,"peerChatVRange":{"minVersion":1,"maxVersion":19}}}
            """#
        let queues = #""rcvQueuesInfo":[{"rcvServer":"smp://a=@h.example:5223"}],"sndQueuesInfo":[]"#
        #expect(
            try lines(#"{"type":"contactInfo","contact":\#(contact),"connectionStats_":{\#(queues)}}"#) == [
                "contact ID: 4", "receiving messages via: h.example", "you've shared main profile with this contact",
                "alias: B", "connection not verified, use /code command to see security code",
                "quantum resistant end-to-end encryption", "peer chat protocol version range: (Version 1, Version 19)",
            ])
        #expect(
            try lines(#"{"type":"contactCode","contact":\#(contact),"connectionCode":"1 2"}"#) == [
                "bob security code:", "1 2",
                "pass this code to your contact and use /verify bob <code from your contact> to verify",
            ])
        #expect(
            try lines(#"{"type":"connectionVerified","verified":false,"expectedCode":"1 2"}"#)
                == ["connection not verified, current code is 1 2"])
        #expect(try lines(#"{"type":"contactsList","contacts":[\#(contact)]}"#) == ["bob (alias: B)"])
    }

    @Test func links() throws {
        let link = #"{"connFullLink":"simplex:/invitation#/?v=2","connShortLink":"https://h/i#a"}"#
        let invitation = try lines(#"{"type":"invitation","connLinkInvitation":\#(link)}"#)
        #expect(
            invitation == [
                "pass this invitation link to your contact (via another channel): ", "", "https://h/i#a", "",
                "and ask them to connect: /c <invitation_link_above>", "The invitation link for old clients:",
                "https://simplex.chat/invitation#/?v=2",
            ])
        let target = #"{"connFullLink":"simplex:/contact#1"}"#
        let settings = #"{"autoAccept":{"acceptIncognito":true}}"#
        let address = #"{"connLinkContact":\#(target),"addressSettings":\#(settings)}"#
        #expect(
            try lines(#"{"type":"userContactLink","contactLink":\#(address)}"#)
                == [
                    "Your chat address:", "", "https://simplex.chat/contact#1", "",
                    "Anybody can send you contact requests with: /c <contact_link_above>", "to show it again: /sa",
                    "to share with your contacts: /profile_address on",
                    "to delete it: /da (accepted contacts will remain connected)", "auto_accept on, incognito",
                ])
    }

    @Test func groups() throws {
        #expect(try lines(#"{"type":"groupsList","groups":[]}"#) == ["you have no groups!", "to create: /g <name>"])
        #expect(
            try lines(
                #"""
                {"type":"groupsList","groups":[
                {"localDisplayName":"team","groupProfile":{"displayName":"team","fullName":"The team"},"membership":{"memberStatus":"creator"},"groupSummary":{"currentMembers":1},"chatSettings":{"enableNtfs":"none"}},
                {"localDisplayName":"Club","groupProfile":{"displayName":"Club","fullName":""},"membership":{"memberStatus":"left"}}]}
                """#) == [
                    "#Club (you left, delete local copy: /d #Club)",
                    "#team (The team) (1 member, muted, you can /unmute #team)",
                ])
    }

    @Test func messages() throws {
        func item(
            _ chat: String, _ direction: String, _ rest: String, time: String = "2026-11-27T19:03:00Z"
        ) -> String {
            let meta = #"{"itemTs":"\#(time)","itemText":"t"}"#
            let entry = #"{"chatDir":\#(direction),"meta":\#(meta),\#(rest)}"#
            return #"{"type":"newChatItems","chatItems":[{"chatInfo":\#(chat),"chatItem":\#(entry)}]}"#
        }
        let bob = #"{"type":"direct","contact":{"localDisplayName":"bob"}}"#
        let own = #"{"localDisplayName":"alice"}"#
        let team = #"{"type":"group","groupInfo":{"localDisplayName":"team","membership":\#(own)}}"#
        let content = #""content":{"type":"sndMsgContent","msgContent":{"type":"text","text":"one\ntwo"}}"#
        let sent = #"{"type":"directSnd"}"#
        #expect(try lines(item(bob, sent, content)) == ["19:03 @bob one", "two"])
        #expect(try lines(item(bob, sent, content, time: "2026-11-26T19:03:00Z")) == ["11-26 @bob one", "two"])
        #expect(try lines(item(bob, #"{"type":"directRcv"}"#, content)) == ["19:03 bob> one", "two"])
        #expect(
            try lines(item(team, #"{"type":"groupRcv","groupMember":{"localDisplayName":"eve"}}"#, content))
                == ["19:03 #team eve> one", "two"])
        let quote = #""quotedItem":{"chatDir":{"type":"directRcv"},"content":{"type":"text","text":"what?"}}"#
        #expect(try lines(item(bob, sent, "\(content),\(quote)")) == ["19:03 @bob > what?", "      one", "two"])
        let empty = #""content":{"type":"sndMsgContent","msgContent":{"type":"file","text":""}}"#
        let facts = #""fileId":3,"fileName":"a.txt","fileSize":1536"#
        let source = #""fileSource":{"filePath":"/tmp/a.txt"},"fileStatus":{"type":"sndStored"}"#
        let file = #"\#(empty),"file":{\#(facts),\#(source)}"#
        #expect(try lines(item(bob, sent, file)) == ["19:03 /f @bob /tmp/a.txt", "use /fc 3 to cancel sending"])
        let offer = #"\#(empty),"file":{\#(facts),"fileStatus":{"type":"rcvInvitation"}}"#
        #expect(
            try lines(item(bob, #"{"type":"directRcv"}"#, offer))
                == ["19:03 bob> sends file a.txt (1.5 KiB / 1536 bytes)", "use /fr 3 [<dir>/ | <path>] to receive it"])
        // What happens in chats is listed, and is no new message.
        let event = #""content":{"type":"sndGroupEvent"}"#
        #expect(try lines(item(team, #"{"type":"groupSnd"}"#, event)) == [])
        let listed = item(team, #"{"type":"groupSnd"}"#, event).replacing("newChatItems", with: "chatItems")
        #expect(try lines(listed) == ["19:03 #team t"])
    }

    @Test func lists_for_programs_are_their_json() throws {
        #expect(try lines(#"{"type":"apiChats","user":{},"chats":[{"a":1}]}"#) == [#"[{"a":1}]"#])
        #expect(try lines(#"{"type":"apiChat","user":{},"chat":{"a":1}}"#) == [#"{"a":1}"#])
        #expect(try lines(#"{"type":"connectionPlan"}"#) == nil)
    }

    @Test func errors() throws {
        #expect(
            try error(#"{"type":"error","errorType":{"type":"commandError","message":"Failed reading: empty"}}"#)
                == ["bad chat command: Failed reading: empty"])
        #expect(
            try error(#"{"type":"errorStore","storeError":{"type":"contactNotFoundByName","contactName":"bob b"}}"#)
                == ["no contact 'bob b'"])
        #expect(
            try error(#"{"type":"errorStore","storeError":{"type":"groupNotFoundByName","groupName":"team"}}"#)
                == ["no group #team"])
        #expect(try error(#"{"type":"errorAgent","agentError":{}}"#) == nil)
    }

    @Test func names_are_quoted_as_commands_take_them() {
        #expect(TerminalText.quoted("bob") == "bob" && TerminalText.quoted("bob b") == "'bob b'")
        #expect(TerminalText.quoted("bob.") == "'bob.'" && TerminalText.quoted("b.b") == "b.b")
    }
}
