import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import Testing

@Suite struct ChatCommandTests {
    static let server = "smp://Tm4lTdYn8sRGYW8uzQ2mNO1Q5kFmcRGkN9fBAvn2S0I@relay.example:5223"

    /// Each command with its text.
    static let commands: [(ChatCommand, String)] = [
        (.showActiveProfile, "/user"),
        (.listProfiles, "/users"),
        (
            .createProfile(Profile(displayName: "ann", fullName: "Ann Lee")),
            #"/_create user {"profile":{"displayName":"ann","fullName":"Ann Lee"},"pastTimestamp":false}"#
        ),
        (.activateProfile(ProfileID(2)), "/_user 2"),
        (.listServers(ProfileID(1)), "/_servers 1"),
        (.invite(ProfileID(1), name: nil), "/_connect 1"),
        (.invite(nil, name: "Ann Lee"), "/connect as='Ann Lee'"),
        (.connect(ProfileID(1), link: "simplex:/x", name: nil), "/_connect 1 simplex:/x"),
        (.connect(nil, link: "simplex:/x", name: "ann"), "/connect as='ann' simplex:/x"),
        (.listContacts(ProfileID(1)), "/_contacts 1"),
        (.listContacts(nil), "/contacts"),
        (.showContact(nil, name: "ann"), "/info @ann"),
        (.showContact(ProfileID(3), name: "Ann Lee"), "/_info 3 @'Ann Lee'"),
        (.listChats(ProfileID(1), includesPending: false, count: nil), "/_get chats 1"),
        (.listChats(ProfileID(1), includesPending: true, count: 20), "/_get chats 1 pcc=on count=20"),
        (.listChats(nil, includesPending: false, count: 5), "/chats count=5"),
        (.showChat(.reference(.contact(ContactID(4))), .last(20)), "/_get chat @4 count=20"),
        (.showChat(.name("ann"), .before(ChatItemID(9), 3)), "/_get chat @'ann' before=9 count=3"),
        (.listItems(ProfileID(1), .after(ChatItemID(9), 3)), "/_get items 1 after=9 count=3"),
        (.listItems(nil, .last(1)), "/items count=1"),
        (.markRead(.reference(.contact(ContactID(4)))), "/_read chat @4"),
        (
            .send(.reference(.contact(ContactID(4))), [MessageContent("héllo 👋")]),
            #"/_send @4 json [{"msgContent":{"type":"text","text":"héllo 👋"},"mentions":{}}]"#
        ),
        (.fetch(timeout: .seconds(60), idle: .milliseconds(500)), "/_fetch timeout=60000ms idle=500ms"),
        (.waitForItem(ChatItemID(12), timeout: .seconds(30)), "/_wait item 12 timeout=30000ms"),
        (.waitForDelivery(ChatItemID(12), timeout: .seconds(30)), "/_wait delivery 12 timeout=30000ms"),
        (.setReceipts(ProfileID(1), true, clearsContacts: false), "/_set receipts contacts 1 on"),
        (
            .setReceipts(ProfileID(1), false, clearsContacts: true),
            "/_set receipts contacts 1 off clear_overrides=on"
        ),
        (.setReceipts(nil, true, clearsContacts: false), "/set receipts contacts on"),
        (.setAllReceipts(false), "/set receipts all off"),
        (.setContactReceipts(.reference(.contact(ContactID(4))), nil), "/_receipts @4 default"),
        (.setContactReceipts(.name("ann"), true), "/_receipts @'ann' on"),
        (.switchQueue(.reference(.contact(ContactID(4)))), "/_switch @4"),
        (.abortSwitch(.reference(.contact(ContactID(4)))), "/_abort switch @4"),
        (.synchronize(.reference(.contact(ContactID(4))), force: false), "/_sync @4"),
        (.synchronize(.name("Ann Lee"), force: true), "/_sync @'Ann Lee' force=on"),
        (
            .waitForConnection(ConnectionID(5), .ready, timeout: .seconds(1)),
            "/_wait connection 5 ready timeout=1000ms"
        ),
        (.status, "/_status"),
        (.version, "/version"),
    ]

    @Test func everyCommandHasATextThatMeansIt() throws {
        for (command, text) in Self.commands {
            #expect(command.text == text)
            #expect(try ChatCommand(text: text) == command)
        }
    }

    @Test func serversKeepTheirPasswords() throws {
        let server = try ConfiguredServer(text: Self.server.replacing("@", with: ":secret@"))
        let command = ChatCommand.setServers(ProfileID(1), [server, server])
        #expect(command.text.contains(":secret@"))
        #expect(try ChatCommand(text: command.text) == command)
    }

    /// Other spellings of the same commands.
    @Test(arguments: [
        ("/u", ChatCommand.showActiveProfile),
        ("/create user ann", .createProfile(Profile(displayName: "ann"))),
        ("/create user 'Ann Lee' at sea", .createProfile(Profile(displayName: "Ann Lee", shortDescription: "at sea"))),
        ("/c", .invite(nil, name: nil)), ("/c simplex:/x", .connect(nil, link: "simplex:/x", name: nil)),
        ("@ann hi there", .send(.name("ann"), [MessageContent("hi there")])),
        ("@'Ann Lee' hi", .send(.name("Ann Lee"), [MessageContent("hi")])),
        ("/_send @4 text a  b ", .send(.reference(.contact(ContactID(4))), [MessageContent("a  b ")])),
        ("/t", .listItems(nil, .last(20))), ("/tail @ann 3", .showChat(.name("ann"), .last(3))),
        ("/_fetch", .fetch(timeout: .seconds(60), idle: .zero)),
        ("/_fetch timeout=5", .fetch(timeout: .seconds(5), idle: .zero)),
        ("/_fetch timeout=5s idle=1s", .fetch(timeout: .seconds(5), idle: .seconds(1))),
        ("/v", .version),
    ])
    func peopleMayWriteOtherwise(text: String, command: ChatCommand) throws {
        #expect(try ChatCommand(text: text) == command)
    }

    @Test(arguments: [
        "", " ", "/", "user", "/nothing", "/user 1", "/_user", "/_user x", "/_user 99999999999999999999",
        "/_create user",
        "/_create user {}", "/_create user {\"profile\":{}}", "/_servers 1 smp://", "/_get", "/_get chat 4 count=1",
        "/_get chat @4", "/_get chat @4 count=x", "/_send @4", "/_send @4 json {}", "/_send @4 json [1]",
        "/_send @4 say x",
        "/_wait item", "/_wait connection 5 done", "/_fetch timeout=", "/_fetch timeout=5 more", "/info ann", "@",
        "@ hi",
        "/_read @4", "/version 2",
    ])
    func whatIsNoCommandIsRefused(text: String) {
        #expect(throws: ChatError.commandSyntax) { try ChatCommand(text: text) }
    }

    @Test func cutCommandsNeverTrap() {
        for (command, _) in Self.commands {
            let text = command.text
            for end in text.indices { _ = try? ChatCommand(text: String(text[..<end])) }
        }
    }
}
