import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import JSONCoding
import SMPProtocol
import Testing

/// Commands about profiles, servers, connections, addresses and requests: their texts, and the JSON of their answers.
@Suite struct PeopleCommandTests {
    static let server = "smp://Tm4lTdYn8sRGYW8uzQ2mNO1Q5kFmcRGkN9fBAvn2S0I@relay.example:5223"

    /// Commands with their texts.
    static let commands: [(any ChatCommand, String)] = [
        (ShowActiveProfile(), "/user"), (ListProfiles(), "/users"),
        (
            CreateProfile(Profile(displayName: "ann", fullName: "Ann Lee")),
            #"/_create user {"profile":{"displayName":"ann","fullName":"Ann Lee"},"pastTimestamp":false}"#
        ),
        (ActivateProfile(ProfileID(2)), "/_user 2"),
        (
            UpdateProfile(ProfileID(2), Profile(displayName: "ann", fullName: "Ann Lee")),
            #"/_profile 2 {"displayName":"ann","fullName":"Ann Lee"}"#
        ),
        (DescribeProfile(name: "Ann Lee", about: "here and there"), "/profile 'Ann Lee' here and there"),
        (DescribeProfile(name: "Ann Lee", about: nil), "/profile 'Ann Lee'"),
        (DescribeProfile(name: "it's", about: " at sea"), #"/profile 'it''s' text=" at sea""#),
        (MuteProfile(ProfileID(2), true), "/_mute user 2"), (MuteProfile(ProfileID(2), false), "/_unmute user 2"),
        (HideProfile(ProfileID(2), password: #"a "b""#), #"/_hide user 2 "a \"b\"""#),
        (UnhideProfile(ProfileID(2), password: "ab"), #"/_unhide user 2 "ab""#),
        (OpenProfile(name: "Ann Lee", password: "a b"), #"/_open user ["Ann Lee","a b"]"#),
        (DeleteProfile(ProfileID(2)), "/_delete user 2 del_smp=on"),
        (
            DeleteProfile(ProfileID(2), deletesQueues: false, password: "ab"), #"/_delete user 2 del_smp=off "ab""#
        ),
        (ActivateProfile(ProfileID(2), password: "a b"), #"/_user 2 "a b""#),

        (ListServers(ProfileID(1)), "/_servers 1"), (ListServers(nil), "/smp"),
        (SetServers(nil, []), "/servers ;"), (SetServers(ProfileID(1), []), "/_servers 1 ;"),
        (ListOperators(), "/_operators"), (ShowConditions(), "/_conditions"),
        (
            UpdateOperators([
                ServerOperator(
                    .flux, isEnabled: false, roles: ServerRoles(storesMessages: false, forwardsMessages: true))
            ]),
            #"/_operators [{"operatorId":2,"operatorTag":"flux","tradeName":"Flux","#
                + #""legalName":"InFlux Technologies Limited","serverDomains":["simplexonflux.com"],"#
                + #""conditionsAcceptance":{"type":"required"},"enabled":false,"#
                + #""smpRoles":{"storage":false,"proxy":true,"names":true},"xftpRoles":{"storage":true,"proxy":true,"names":true}}]"#
        ),
        (AcceptConditions([.simplex, .flux]), "/_accept_conditions 1 1,2"),

        (Invite(ProfileID(1), name: nil), "/_connect 1"), (Invite(nil, name: "Ann Lee"), "/connect as='Ann Lee'"),
        (Connect(ProfileID(1), link: "simplex:/x", name: nil), "/_connect 1 simplex:/x"),
        (Connect(nil, link: "simplex:/x", name: "ann"), "/connect plan=off as='ann' simplex:/x"),
        (Connect(nil, link: "as='x' y", name: nil), #"/connect plan=off link="as='x' y""#),
        (Connect(nil, link: "simplex:/x", name: nil, plansFirst: true), "/connect simplex:/x"),
        (Connect(ProfileID(1), link: "simplex:/x y", name: nil, plansFirst: true), "/_connect 1 plan=on simplex:/x y"),
        (Invite(ProfileID(1), name: nil, isIncognito: true), "/_connect 1 incognito=on"),
        (Invite(nil, name: "Ann Lee", isIncognito: true), "/connect incognito=on as='Ann Lee'"),
        (
            Connect(ProfileID(1), link: "simplex:/x", name: nil, isIncognito: true),
            "/_connect 1 incognito=on simplex:/x"
        ),
        (
            Connect(nil, link: "simplex:/x", name: "ann", isIncognito: true),
            "/connect incognito=on plan=off as='ann' simplex:/x"
        ),
        (PlanConnection(ProfileID(1), link: "simplex:/x"), "/_connect plan 1 simplex:/x"),
        (PlanConnection(nil, link: "simplex:/x"), "/connect plan simplex:/x"),
        (PlanConnection(ProfileID(1), link: "#news", .never), "/_connect plan 1 #news resolve=never"),
        (SetProfileName(ProfileID(1), "a.simplex"), "/_set domain 1 a.simplex"),
        (SetProfileName(ProfileID(1), nil), "/_set domain 1"),
        (VerifyName(.reference(.group(GroupID(5)))), "/_verify domain #5"),
        (
            PrepareContact(
                ProfileID(1), link: "simplex:/x https://y", domain: "a.simplex",
                ContactLinkContent(profile: Profile(displayName: "ann"))),
            #"/_prepare contact 1 simplex:/x https://y domain=a.simplex {"profile":{"displayName":"ann","fullName":""},"#
                + #""business":false}"#
        ),
        (ListInvitations(ProfileID(1)), "/_invitations 1"), (ListInvitations(nil), "/invitations"),
        (DeleteConnection(ConnectionID(5)), "/_delete :5 full"),
        (SetIncognito(ConnectionID(5), true), "/_set incognito :5 on"),
        (MoveConnection(ConnectionID(5), to: ProfileID(2)), "/_set conn user :5 2"),
        (SetConnectionAlias(ConnectionID(5), "at work"), "/_set alias :5 at work"),
        (SetConnectionAlias(ConnectionID(5), ""), "/_set alias :5"),
        (
            PrepareContact(
                ProfileID(1), link: "simplex:/x https://y",
                ContactLinkContent(profile: Profile(displayName: "ann"), welcome: MessageContent("hi"))),
            #"/_prepare contact 1 simplex:/x https://y {"profile":{"displayName":"ann","fullName":""},"#
                + #""message":{"type":"text","text":"hi"},"business":false}"#
        ),
        (ConnectPrepared(ContactID(4)), "/_connect contact @4"),
        (
            ConnectPrepared(ContactID(4), isIncognito: true, message: MessageContent("hi")),
            #"/_connect contact @4 incognito=on json {"type":"text","text":"hi"}"#
        ),
        (MovePrepared(ContactID(4), to: ProfileID(2)), "/_set contact user @4 2"),
        (ShowConnection(ContactID(4)), "/_info @4"),
        (EnableContact(.reference(.direct(ContactID(4)))), "/_enable @4"),
        (SetProfileAddress(ProfileID(1), true), "/_profile_address 1 on"),
        (SetProfileAddress(nil, false), "/profile_address off"),

        (CreateAddress(ProfileID(1)), "/_address 1"), (CreateAddress(nil), "/address"),
        (ShowAddress(ProfileID(1)), "/_show_address 1"), (ShowAddress(nil), "/show_address"),
        (AddShortLink(ProfileID(1)), "/_short_link_address 1"), (AddShortLink(nil), "/short_link_address"),
        (RotateAddress(ProfileID(1)), "/_rotate_address 1"), (RotateAddress(nil), "/rotate_address"),
        (DeleteAddress(ProfileID(1)), "/_delete_address 1"), (DeleteAddress(nil), "/delete_address"),
        (
            SetAddress(ProfileID(1), AddressSettings(accepts: true, welcome: MessageContent("hi"))),
            #"/_address_settings 1 {"businessAddress":false,"autoAccept":{"acceptIncognito":false},"#
                + #""autoReply":{"type":"text","text":"hi"}}"#
        ),
        (SetAddress(nil, AddressSettings()), #"/address_settings {"businessAddress":false}"#),

        (ListRequests(ProfileID(1)), "/_requests 1"), (ListRequests(nil), "/requests"),
        (AcceptRequest(.id(RequestID(3))), "/_accept 3"), (AcceptRequest(.name("Ann Lee")), "/accept 'Ann Lee'"),
        (AcceptRequest(.id(RequestID(3)), isIncognito: true), "/_accept incognito=on 3"),
        (AcceptRequest(.name("incognito"), isIncognito: true), "/accept incognito=on 'incognito'"),
        (RejectRequest(.id(RequestID(3))), "/_reject 3"), (RejectRequest(.name("ann")), "/reject 'ann'"),
    ]

    private static func bot(_ name: String, allowsFiles: Bool) -> Profile {
        var profile = Profile(displayName: name, peerType: .bot)
        if !allowsFiles { profile.preferences = .object(["files": .object(["allow": "no"])]) }
        return profile
    }

    /// Other spellings, as people write them.
    static let spellings: [(String, any ChatCommand)] = [
        ("/u", ShowActiveProfile()), ("/p", ShowOwnProfile()), ("/profile", ShowOwnProfile()),
        ("/user ann", ActivateNamedProfile(name: "ann")),
        ("/user ann secret", ActivateNamedProfile(name: "ann", password: "secret")),
        ("/hide user secret", HideProfile(nil, password: "secret")), ("/mute user", MuteProfile(nil, true)),
        ("/delete user ann", DeleteNamedProfile(name: "ann")),
        ("/create bot ann", CreateProfile(bot("ann", allowsFiles: false))),
        ("/create bot files=on service=on ann", CreateProfile(bot("ann", allowsFiles: true), usesService: true)),
        ("/create user ann service=on", CreateProfile(Profile(displayName: "ann"), usesService: true)),
        ("/set client service 1:ann on", SetClientService(ProfileID(1), name: "ann", true)),
        ("/set profile image data:x", SetPicture("data:x")), ("/delete profile image", SetPicture(nil)),
        ("/p ann", DescribeProfile(name: "ann", about: nil)),
        ("/p ann text=me", DescribeProfile(name: "ann", about: "text=me")),
        ("/create user ann", CreateProfile(Profile(displayName: "ann"))),
        (
            "/create user 'Ann Lee' at sea",
            CreateProfile(Profile(displayName: "Ann Lee", shortDescription: "at sea"))
        ),
        ("/servers", SetServers(nil, [])),
        ("/c incognito", Invite(nil, name: nil, isIncognito: true)),
        ("/c as='ann' incognito", Invite(nil, name: "ann", isIncognito: true)),
        (
            "/c incognito simplex:/x",
            Connect(nil, link: "simplex:/x", name: nil, isIncognito: true, plansFirst: true)
        ),
        ("/_connect 1 incognito=off", Invite(ProfileID(1), name: nil)), ("/c", Invite(nil, name: nil)),
        ("/c simplex:/x", Connect(nil, link: "simplex:/x", name: nil, plansFirst: true)),
        ("/_connect 1 simplex:/x https://y", Connect(ProfileID(1), link: "simplex:/x https://y", name: nil)),
        ("/_delete :5", DeleteConnection(ConnectionID(5))),
        ("/_delete :5 entity notify=off", DeleteConnection(ConnectionID(5))),
        ("/_connect contact @4 text I am Bob", ConnectPrepared(ContactID(4), message: MessageContent("I am Bob"))),
        ("/pa on", SetProfileAddress(nil, true)), ("/_set alias :5 ", SetConnectionAlias(ConnectionID(5), "")),
        (
            "/auto_accept on incognito=off text be welcome",
            SetAddress(nil, AddressSettings(accepts: true, welcome: MessageContent("be welcome")))
        ),
        ("/c plan simplex:/x", PlanConnection(nil, link: "simplex:/x")),
        ("/c plan simplex:/x resolve=off", PlanConnection(nil, link: "simplex:/x")),
        ("/_connect plan 1 @a.simplex resolve=on", PlanConnection(ProfileID(1), link: "@a.simplex", .known)),
        ("/_set domain 1 A.simplex", SetProfileName(ProfileID(1), "a.simplex")),
        ("/ac incognito ann", AcceptRequest(.name("ann"), isIncognito: true)),
        ("/ac incognito", AcceptRequest(.name("incognito"))), ("/ac ann", AcceptRequest(.name("ann"))),
        ("/ac @ann", AcceptRequest(.name("ann"))), ("/rc ann", RejectRequest(.name("ann"))),
        ("/ad", CreateAddress(nil)), ("/sa", ShowAddress(nil)), ("/da", DeleteAddress(nil)),
        ("/auto_accept on", SetAddress(nil, AddressSettings(accepts: true))),
        ("/auto_accept off", SetAddress(nil, AddressSettings())),
        (
            "/_auto_accept 2 on be welcome",
            SetAddress(ProfileID(2), AddressSettings(accepts: true, welcome: MessageContent("be welcome")))
        ),
    ]

    @Test func textsMeanTheirCommands() throws {
        for (command, text) in Self.commands {
            #expect(command.text == text)
            #expect(AnyHashable(try ChatCommands.parse(text)) == AnyHashable(command), "\(text)")
        }
        for (text, command) in Self.spellings {
            #expect(AnyHashable(try ChatCommands.parse(text)) == AnyHashable(command), "\(text)")
        }
    }

    @Test func anyTextSurvives() throws {
        for command in PeopleCommandSamples.all {
            let text = command.text, read = try ChatCommands.parse(text)
            #expect(AnyHashable(read) == AnyHashable(command), "\(text)")
            // Equal strings may have other bytes.
            #expect(Bytes(read.text.utf8) == Bytes(text.utf8), "\(text)")
        }
    }

    @Test func cutTextsNeverTrap() {
        for command in PeopleCommandSamples.all.prefix(400) {
            let text = command.text
            for end in text.unicodeScalars.indices { _ = try? ChatCommands.parse(String(text[..<end])) }
        }
    }

    @Test func serversKeepTheirPasswords() throws {
        let server = try ConfiguredServer(text: Self.server.replacing("@", with: ":se;cret@"))
        let command = SetServers(ProfileID(1), [server, server])
        #expect(command.text.contains(":se;cret@"))
        #expect(AnyHashable(try ChatCommands.parse(command.text)) == AnyHashable(command))
    }

    @Test(arguments: [
        "/_user", "/_user x", "/_user 99999999999999999999", "/_create user",
        "/_create user {\"profile\":{}}", "/_hide user 1", "/_hide user 1 ab", "/_open user", "/_open user [\"a\"]",
        "/_open user [\"a\",\"b\",1]", "/_delete user 1", "/_servers 1 smp://", "/_servers 1 [{}]",
        #"/_servers 1 [{"smpServers":[{"server":"smp://x"}]}]"#, #"/_servers 1 [{"smpServers":[],"xftpServers":[{}]}]"#,
        "/smp test", "/smp smp://", "/_server test 1", "/_server 1", "/_operators [{}]", "/_accept_conditions 1",
        "/_accept_conditions 2 1", "/_accept_conditions 1 3", "/_connect", "/_connect plan x y", "/_address",
        "/_address x", "/_accept", "/_accept ann", "/accept", "/_delete 5", "/auto_accept", "/auto_accept maybe",
        "/_address_settings 1", "/_address_settings 1 []",
        #"/_address_settings 1 {"autoAccept":{"acceptIncognito":true}}"#,
    ])
    func otherTextsAreRefused(text: String) {
        #expect(throws: ChatError.commandSyntax) { try ChatCommands.parse(text) }
    }

    // MARK: - Passwords

    @Test func passwordsAreNeitherDescribedNorAnswered() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), password = "correct horse battery"
        _ = try alice.execute(CreateProfile(Profile(displayName: "work")))
        _ = try alice.execute(ActivateProfile(ProfileID(1)))
        let hide = HideProfile(ProfileID(2), password: password)
        let open = OpenProfile(name: "work", password: password)
        let unhide = UnhideProfile(ProfileID(2), password: password)
        for command in [hide, open, unhide] as [any ChatCommand] {
            var dumped = ""
            dump(command, to: &dumped)
            for text in [String(describing: command), String(reflecting: command), dumped] {
                #expect(!text.contains("horse"))
            }
        }
        let hidden = try alice.execute(hide)
        #expect(hidden.profile.isHidden && !hidden.fields.line.contains("horse"))
        #expect(try alice.execute(ListProfiles()).profiles.map(\.name) == ["alice"])
        #expect(try alice.execute(OpenProfile(name: "work", password: "wrong")).profiles.isEmpty)
        let opened = try alice.execute(open)
        #expect(opened.profiles.map(\.name) == ["work"] && !opened.fields.line.contains("horse"))
        #expect(throws: ChatError.profileNotFound(ProfileID(2))) {
            try alice.execute(UnhideProfile(ProfileID(2), password: "wrong"))
        }
        let shown = try alice.execute(unhide)
        #expect(!shown.profile.isHidden && !shown.fields.line.contains("horse"))
    }

    // MARK: - Effects on sessions

    @Test func otherSessionsHearOfChanges() throws {
        let house = try TestHouse()
        let alice = try house.person("alice")
        _ = try alice.execute(CreateProfile(Profile(displayName: "work")))
        _ = try alice.execute(ActivateProfile(ProfileID(1)))
        let mute = MuteProfile(ProfileID(2), true)
        #expect(mute.effect(of: try alice.execute(mute)) == .listsChanged)
        let update = UpdateProfile(ProfileID(1), Profile(displayName: "alix"))
        #expect(update.effect(of: try alice.execute(update)) == .listsChanged)
        #expect(update.effect(of: try alice.execute(update)) == nil)
        let invite = Invite(nil, name: nil)
        #expect(invite.effect(of: try alice.execute(invite)) == .listsChanged)
        let hide = HideProfile(ProfileID(2), password: "ab")
        #expect(hide.effect(of: try alice.execute(hide)) == .profileGone(ProfileID(2)))
        let delete = DeleteProfile(ProfileID(3))
        _ = try alice.execute(CreateProfile(Profile(displayName: "spare")))
        _ = try alice.execute(ActivateProfile(ProfileID(1)))
        #expect(delete.effect(of: try alice.execute(delete)) == .profileGone(ProfileID(3)))
    }

    // MARK: - Answers

    @Test func answersAreReadFromTheirJSON() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        func check<Command: ChatCommand>(_ store: TestStore, _ command: Command) throws {
            let response = try store.execute(command)
            let json = try #require(try JSONValue(decoding: Bytes(response.json.line.utf8)).object)
            #expect(try Command.Response(json: json) == response, "\(response.json.line)")
            #expect(throws: DecodeError.self) { try Command.Response(json: ["type": "nothing"]) }
        }
        try check(alice, ShowActiveProfile())
        try check(alice, ListProfiles())
        try check(alice, MuteProfile(ProfileID(1), true))
        try check(alice, UpdateProfile(ProfileID(1), Profile(displayName: "alix", shortDescription: "hi")))
        try check(alice, UpdateProfile(ProfileID(1), Profile(displayName: "alix", shortDescription: "hi")))
        try check(alice, CreateProfile(Profile(displayName: "work")))
        try check(alice, ActivateProfile(ProfileID(1)))
        try check(alice, DeleteProfile(ProfileID(2)))
        try check(alice, ListOperators())
        try check(alice, ShowConditions())
        try check(alice, AcceptConditions([.flux]))
        try check(alice, ShowConditions())
        try check(alice, UpdateOperators([ServerOperator(.flux, isEnabled: false)]))
        try check(alice, ListServers(nil))
        try check(alice, UpdateServers(ProfileID(1), []))
        try check(alice, TestServer(nil, ConfiguredServer(address: house.address)))
        try check(alice, TestForwarding(ProfileID(1)))
        try check(alice, Invite(nil, name: "carol", isIncognito: true))
        try check(alice, ListInvitations(nil))
        let invitation = try alice.execute(Invite(nil, name: nil))
        try check(bob, PlanConnection(nil, link: invitation.link.preferred))
        try check(alice, PlanConnection(nil, link: invitation.link.preferred))
        try check(alice, DeleteConnection(invitation.connection.id))
        try check(alice, CreateAddress(nil))
        try check(alice, ShowAddress(nil))
        try check(alice, SetAddress(nil, AddressSettings(welcome: MessageContent("hello"))))
        try check(alice, AddShortLink(nil))
        try check(alice, RotateAddress(nil))
        let link = try alice.execute(ShowAddress(nil)).address.link.preferred
        try check(bob, PlanConnection(nil, link: link))
        try check(bob, Connect(nil, link: link, name: "al", isIncognito: true))
        try check(bob, Connect(nil, link: try alice.invite(), name: nil))
        _ = try bob.fetch()
        _ = try alice.fetch()
        try check(alice, ListRequests(nil))
        let request = try #require(try alice.execute(ListRequests(nil)).requests.first)
        try check(alice, AcceptRequest(.id(request.id), isIncognito: true, allowsShown: true))
        let carol = try house.person("carol")
        try carol.join(link)
        _ = try carol.fetch()
        _ = try alice.fetch()
        try check(alice, RejectRequest(.name("carol")))
        try check(alice, DeleteAddress(nil))
        house.stopRelay()
        try check(alice, TestServer(nil, ConfiguredServer(address: house.address)))
    }
}
