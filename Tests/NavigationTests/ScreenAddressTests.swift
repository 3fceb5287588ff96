import Navigation
import Testing

@Suite struct ScreenAddressTests {
    private static let names = SampleNames()
    private static let home = HomeScreen(profile: 1, kind: .chats)

    private static func path(_ screens: any Screen...) -> NavigationPath {
        var path = NavigationPath(home: home)
        for screen in screens { path.push(screen) }
        return path
    }

    private func read(_ text: String, from path: NavigationPath = Self.path()) async throws -> AnyScreen {
        try await ScreenAddress(text, from: path, names: Self.names).screen
    }

    private func text(_ screen: any Screen, _ style: ScreenAddress.Style = .full) async -> String {
        await ScreenAddress.text(of: AnyScreen(screen), in: 1, style: style, names: Self.names)
    }

    /// A screen of every type, and several where the address depends on more.
    private static let screens: [any Screen] =
        SampleNames.contacts.keys.map { ChatScreen(contact: $0) }
        + SampleNames.contacts.keys.map {
            MessageScreen(contact: $0, message: $0 * 17)
        } + [
            HubScreen(), home, ContactScreen(contact: 2), ConnectionScreen(contact: 3),
            VerificationScreen(contact: 4), RequestsScreen(profile: 1), AddressScreen(profile: 1), SettingsScreen(),
            MembersScreen(group: 8), MemberScreen(group: 8, member: 3), MemberScreen(group: 8, member: 9),
            GroupLinkScreen(group: 8), GroupPreferencesScreen(group: 8), SupportScreen(group: 8),
            SupportChatScreen(group: 8, member: 3), SupportChatScreen(group: 8, member: 9),
            ChatScreen(.group(8)), ContactScreen(.group(8)), ChatScreen(.group(98)),
            ChatScreen(contact: 99), HomeScreen(profile: 2, kind: .chats), HomeScreen(profile: 3, kind: .chats),
        ] + SettingsScreen.Section.allCases.map { SettingsScreen($0) }

    @Test func everyTypeIsAmongTheSamples() {
        let names = Set(Self.screens.map { AnyScreen($0).name })
        #expect(ScreenCatalogue.all.map { $0.name }.filter { !names.contains($0) } == [])
    }

    @Test func written_address_is_read_back() async throws {
        for screen in Self.screens {
            for style in [ScreenAddress.Style.full, .short] {
                let written = await text(screen, style)
                let read = try await read(written, from: Self.path(ChatScreen(contact: 5)))
                #expect(read == AnyScreen(screen), "\(written)")
            }
        }
    }

    @Test func addressesAreWrittenPlainly() async {
        #expect(await text(Self.home) == "/")
        #expect(await text(HubScreen()) == "/profiles")
        #expect(await text(HomeScreen(profile: 2, kind: .chats)) == #"/profiles/home\/lab"#)
        #expect(await text(ChatScreen(contact: 1)) == "/contacts/Ann Lee")
        #expect(await text(ChatScreen(contact: 1), .short) == "/Ann Lee")
        #expect(await text(ChatScreen(contact: 7), .short) == "/contacts/settings")
        #expect(await text(ChatScreen(contact: 2)) == #"/contacts/a\/b"#)
        #expect(await text(ChatScreen(contact: 4)) == #"/contacts/\.."#)
        #expect(await text(ChatScreen(contact: 6)) == ##"/contacts/\#7"##)
        #expect(await text(ChatScreen(.group(8))) == "/groups/team")
        #expect(await text(ChatScreen(.group(8)), .short) == "/team")
        #expect(await text(MembersScreen(group: 8)) == "/groups/team/members")
        #expect(await text(MemberScreen(group: 8, member: 3)) == "/groups/team/members/Bob B")
        #expect(await text(MemberScreen(group: 8, member: 9)) == "/groups/team/members/#9", "one that is gone")
        #expect(await text(SupportChatScreen(group: 8, member: 3)) == "/groups/team/support/Bob B")
        #expect(await text(ChatScreen(contact: 99)) == "/contacts/#99", "one that is gone")
        #expect(await text(MessageScreen(contact: 1, message: 17)) == "/contacts/Ann Lee/message/17")
        #expect(await text(VerificationScreen(contact: 1)) == "/contacts/Ann Lee/info/code")
        #expect(await text(ConnectionScreen(contact: 1), .short) == "/Ann Lee/info/connection")
        #expect(await text(SettingsScreen(.network)) == "/settings/net")
        #expect(await text(RequestsScreen(profile: 1)) == "/requests")
    }

    /// What every beginning of an address means.
    @Test func everyTruncationIsReadOrRefused() async throws {
        for screen in Self.screens {
            let written = await text(screen)
            let ancestors = Self.ancestors(of: screen)
            for count in 0..<written.unicodeScalars.count {
                let beginning = String(String.UnicodeScalarView(written.unicodeScalars.prefix(count)))
                do {
                    let read = try await ScreenAddress(beginning, from: Self.path(), names: Self.names)
                    // A shorter name or number may be one of something else; nothing may be a screen of another type
                    // than those on the way.
                    let isOnTheWay = ancestors.contains { type(of: $0.value) == type(of: read.screen.value) }
                    #expect(isOnTheWay, "\(beginning)")
                } catch {
                    #expect(error != .noProfile)
                }
            }
        }
    }

    private static func ancestors(of screen: any Screen) -> [AnyScreen] {
        [AnyScreen(screen)] + (screen.parent.map { ancestors(of: $0) } ?? [AnyScreen(home), AnyScreen(HubScreen())])
            // A beginning of a word may be a name that stands alone.
            + [AnyScreen(ChatScreen(contact: 1))]
    }

    @Test(
        arguments: [
            ("..", HomeScreen(profile: 1, kind: .chats) as any Screen), ("../..", HubScreen()),
            ("../../..", HubScreen()),
            ("", ChatScreen(contact: 1)), (".", ChatScreen(contact: 1)), ("info", ContactScreen(contact: 1)),
            ("./info//code/", VerificationScreen(contact: 1)), ("../settings/net", SettingsScreen(.network)),
            ("../contacts/..", HomeScreen(profile: 1, kind: .chats)),
            ("../contacts", HomeScreen(profile: 1, kind: .chats)),
            ("info/..", ChatScreen(contact: 1)), ("message/5/..", ChatScreen(contact: 1)),
            (#"../a\/b"#, ChatScreen(contact: 2)), (#"/\a\/b"#, ChatScreen(contact: 2)),
            ("/#5", ChatScreen(contact: 5)), ("/#99", ChatScreen(contact: 99)), ("/#14", ChatScreen(.notes(14))),
            ("/notes/info", ContactScreen(.notes(14))), ("/notes/message/5", MessageScreen(.notes(14), message: 5)),
            ("../../work/..", HubScreen()), ("/profiles/work", HomeScreen(profile: 1, kind: .chats)),
            (#"/profiles/home\/lab/requests"#, RequestsScreen(profile: 2)), ("/profiles/..", HubScreen()),
            ("/groups", HomeScreen(profile: 1, kind: .chats)), ("/groups/team", ChatScreen(.group(8))),
            ("/team", ChatScreen(.group(8))), ("/groups/#5", ChatScreen(.group(5))),
            ("/team/info", ContactScreen(.group(8))), ("/team/members/#3", MemberScreen(group: 8, member: 3)),
            ("/settings/..", HomeScreen(profile: 1, kind: .chats)), ("/settings/net/..", SettingsScreen()),
        ] as [(String, any Screen)]) func placesAreReadFromWhereTheUserIs(text: String, screen: any Screen) async throws
    {
        let path = Self.path(ChatScreen(contact: 1))
        if text == "../../work/.." {
            await #expect(throws: AddressError.noProfile) { try await read(text, from: path) }
        } else {
            #expect(try await read(text, from: path) == AnyScreen(screen))
        }
    }

    @Test(arguments: [
        ("/nobody", AddressError.unknownName(.contact, at: 0)), ("/contacts/nobody", .unknownName(.contact, at: 1)),
        ("/Ann Lee/nothing", .unknownWord(at: 1)), ("/notes/info/code", .unknownWord(at: 2)),
        ("/settings/nothing", .unknownWord(at: 1)), ("/groups/nobody", .unknownName(.group, at: 1)),
        ("/groups/Ann Lee", .unknownName(.group, at: 1)), ("/team/members/nobody", .unknownName(.member, at: 2)),
        ("/Ann Lee/members", .unknownWord(at: 1)),
        ("/Ann Lee/message", .unfinished), ("/Ann Lee/message/x", .unknownWord(at: 2)),
        ("/Ann Lee/message/-1", .unknownWord(at: 2)), ("/Ann Lee/message/99999999999999999999", .unknownWord(at: 2)),
        ("/profiles/nobody", .unknownName(.profile, at: 1)), (#"/Ann Lee\"#, .unfinished), (#"\"#, .unfinished),
        (#"/\settings/net"#, .unknownWord(at: 1)), (#"/#"#, .unknownName(.contact, at: 0)),
    ]) func whatLeadsNowhereIsAnError(text: String, error: AddressError) async {
        await #expect(throws: error) { try await read(text) }
    }

    @Test func withoutAProfileThereAreOnlyProfilesAndSettings() async throws {
        let hub = NavigationPath()
        #expect(try await read("/", from: hub) == AnyScreen(HubScreen()))
        #expect(try await read("/profiles", from: hub) == AnyScreen(HubScreen()))
        #expect(try await read("/settings/net", from: hub) == AnyScreen(SettingsScreen(.network)))
        #expect(try await read("/profiles/work/Ann Lee", from: hub) == AnyScreen(ChatScreen(contact: 1)))
        await #expect(throws: AddressError.noProfile) { try await read("/Ann Lee", from: hub) }
    }

    @Test func theHomeIsTheOneOfThePath() async throws {
        let single = HomeScreen(profile: 1, kind: .conversation(4))
        let path = NavigationPath(home: single)
        #expect(try await read("/", from: path) == AnyScreen(single))
        #expect(try await read("/profiles/work", from: path) == AnyScreen(single))
    }

    // MARK: - Going up

    @Test func going_up_removes_screens_above() async throws {
        let directory = SampleDirectory()
        let chat = ChatScreen(contact: 1)
        let info = ContactScreen(contact: 1)
        for (before, text, after): (NavigationPath, String, NavigationPath) in [
            (Self.path(chat, info), "..", Self.path(chat)),
            (Self.path(chat, info), "../..", Self.path()),
            (Self.path(chat, info), "../../..", NavigationPath()),
            (Self.path(chat, info), "code/..", Self.path(chat, info)),
            // What was not on the way takes the place of the top.
            (Self.path(info), "..", Self.path(chat)),
            (Self.path(SettingsScreen(.network)), "..", Self.path(SettingsScreen())),
            (Self.path(), "..", NavigationPath()),
            (NavigationPath(), "..", NavigationPath()),
            // Going on pushes.
            (Self.path(chat, info), "../message/100", Self.path(chat, info, MessageScreen(contact: 1, message: 100))),
        ] {
            let address = try await ScreenAddress(text, from: before, names: Self.names)
            var state = NavigationState(path: before)
            let finding = await Finding(about: address.screen.value, in: directory)
            _ = try state.show(finding, isAbove: address.isAbove)
            #expect(state.path == after, "\(text)")
        }
    }
}
