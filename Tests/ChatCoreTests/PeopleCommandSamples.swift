import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import SMPProtocol
import TestSupport

/// Commands about profiles, servers, connections, addresses and requests, of which many have texts that are easily taken
/// for something else.
enum PeopleCommandSamples {
    /// Texts that a person or a program may use as a name, a password, a link or a message.
    static let hostileTexts = [
        "", " ", "ann", "Ann Lee", " ann ", "'", "''", "it's", "'quoted'", "\"", "\\", "a\nb", "\r\n", "\t", "@ann",
        "@4",
        "#team", "/user", "4", "incognito", "incognito ", "incognito=on", "incognito=off x", "as='x' y", "plan 1 x",
        "on", "off", "none", "default", "count=1", "link=", "link=\"x\"", "text=\"x\"", "words=x", "unread=on",
        "before=1 count=2", "json {}", "{\"a\":1}", "[1]", ";", ",", ":5", "'\u{301}", "e\u{301}", "\u{200d}👋🏽",
        "ß\u{0}x",
        "simplex:/x", "https://smp.example.com/i#abc",
    ]

    /// Makes samples of random texts, the same ones in each run.
    private static func random<Sample>(_ seed: UInt64, count: Int = 40, _ make: (inout Words) -> Sample) -> [Sample] {
        var words = Words(seed: seed)
        return (0..<count).map { _ in make(&words) }
    }

    /// A source of hostile texts.
    fileprivate struct Words {
        private let random: SeededRandom

        fileprivate init(seed: UInt64) {
            random = SeededRandom(seed: seed)
        }

        /// One of the hostile texts, or several of them together.
        mutating func text() -> String {
            (0..<number(1...3)).map { _ in hostileTexts[number(0...hostileTexts.count - 1)] }.joined()
        }

        mutating func optionalText() -> String? { bool() ? text() : nil }

        mutating func bool() -> Bool { number(0...1) == 1 }

        mutating func number<Value: FixedWidthInteger>(_ range: ClosedRange<Value>) -> Value {
            var random = random
            return Value.random(in: range, using: &random)
        }

        /// A number that names something.
        mutating func id() -> Int64 { bool() ? number(1...20) : number(0...Int64.max) }
    }
}

extension PeopleCommandSamples {
    /// All samples, the same ones in each run.
    static let all: [any ChatCommand] = profiles + servers + connections + addresses + requests

    private static func owner(_ words: inout Words) -> ProfileID? { words.bool() ? ProfileID(words.id()) : nil }

    private static func feature(_ words: inout Words) -> Preferences.Feature {
        let all = Preferences.Feature.allCases
        return all[words.number(0...all.count - 1)]
    }

    private static func permission(_ words: inout Words) -> Preferences.Permission {
        let all = Preferences.Permission.allCases
        return all[words.number(0...all.count - 1)]
    }

    private static func profile(_ words: inout Words) -> Profile {
        Profile(
            displayName: words.text(), fullName: words.text(), shortDescription: words.optionalText(),
            image: words.optionalText(), contactLink: words.optionalText())
    }

    private static var profiles: [any ChatCommand] {
        [ShowActiveProfile(), ListProfiles()]
            + random(1) { words in
                let id = ProfileID(words.id())
                let commands: [any ChatCommand] = [
                    CreateProfile(profile(&words), usesService: words.bool()), CreateProfile(nil),
                    SetClientService(id, name: words.text(), words.bool()),
                    ActivateProfile(id), ActivateProfile(id, password: words.text()),
                    ActivateNamedProfile(name: words.text(), password: words.optionalText()),
                    MuteProfile(words.bool() ? id : nil, words.bool()),
                    HideProfile(words.bool() ? id : nil, password: words.text()),
                    UnhideProfile(words.bool() ? id : nil, password: words.text()),
                    OpenProfile(name: words.text(), password: words.text()),
                    DeleteProfile(id, deletesQueues: words.bool(), password: words.optionalText()),
                    DeleteNamedProfile(name: words.text(), password: words.optionalText()),
                    SetGroupReceipts(owner(&words), words.bool(), clearsGroups: words.bool()),
                    SetMemberAcceptance(owner(&words), words.bool()), SetPicture(words.optionalText()),
                    SetBotCommands([
                        .command(label: "Help", keyword: "help", parameters: nil),
                        .menu(label: "Orders", [.command(label: "Track", keyword: "track", parameters: "<id>")]),
                    ]), SetBotCommands([]),
                    ShowOwnProfile(isPicture: words.bool()), SetFeature(feature(&words), permission(&words)),
                    UpdateProfile(id, profile(&words)),
                    DescribeProfile(name: words.text(), about: words.optionalText()),
                ]
                return commands
            }.joined()
    }

    private static func server(_ words: inout Words) -> ConfiguredServer {
        let hosts: [TransportHost] = [
            [.domain("smp.example")], [.ipv4("127.0.0.1")], [.ipv6("::1")],
            [.domain("a.example"), .domain("b.example")],
        ][words.number(0...3)]
        let address = ServerAddress(
            hosts: hosts, port: words.bool() ? words.number(1...UInt16.max) : nil,
            fingerprint: Bytes(repeating: words.number(0...255), count: 32))
        let password = ["a;b", "[1]", "'x'", ",", "p"][words.number(0...4)]
        return ConfiguredServer(address: address, password: words.bool() ? try? ServerPassword(password) : nil)
    }

    private static var servers: [any ChatCommand] {
        [ListOperators(), ShowConditions()]
            + random(2) { words in
                var changes = (0..<words.number(0...3)).map { _ in
                    ProfileServer(
                        id: words.bool() ? ServerID(words.id()) : nil, server(&words), isPreset: words.bool(),
                        isEnabled: words.bool())
                }
                for index in changes.indices { changes[index].isDeleted = words.bool() }
                let operators = ServerOperator.Tag.allCases.filter { _ in words.bool() }
                let settings = operators.map { tag in
                    ServerOperator(
                        tag, isEnabled: words.bool(),
                        roles: ServerRoles(storesMessages: words.bool(), forwardsMessages: words.bool()),
                        acceptance: words.bool()
                            ? ConditionsAcceptance(version: words.text(), time: Timestamp(milliseconds: 1234)) : nil)
                }
                let commands: [any ChatCommand] = [
                    ListServers(owner(&words)),
                    SetServers(owner(&words), (0..<words.number(0...3)).map { _ in server(&words) }),
                    UpdateServers(ProfileID(words.id()), changes),
                    UpdateServers(
                        ProfileID(words.id()),
                        changes + changes.map { ProfileServer(id: $0.id, $0.server, isForFiles: true) }),
                    TestServer(owner(&words), server(&words)),
                    TestServer(owner(&words), server(&words), isForFiles: true), TestForwarding(ProfileID(words.id())),
                    UpdateOperators(settings), AcceptConditions(operators), ListFileServers(),
                    SetActiveServers((0..<words.number(0...3)).map { _ in server(&words) }),
                    ValidateServers(ProfileID(words.id()), [OperatorServers(nil, changes)]),
                    ListChatRelays(), SetChatRelays(relays(&words)),
                    TestChatRelay(owner(&words), relays(&words)[0].address),
                    UpdateServers(ProfileID(words.id()), [], relays: relays(&words)),
                    SwitchOperators(settings.map { .init($0.tag, $0.isEnabled) } + [.init(.flux, true)]),
                    NoteConditions(words.id()),
                ]
                return commands
            }.joined()
    }

    private static func relays(_ words: inout Words) -> [ChatRelay] {
        ["b", "c"].compactMap { letter in
            (try? ShortLink(text: ChatRelayListTests.address(letter))).map {
                ChatRelay($0, RelayProfile(displayName: "r" + words.text()))
            }
        }
    }

    private static var connections: [any ChatCommand] {
        random(3, count: 200) { words in
            let commands: [any ChatCommand] = [
                Invite(owner(&words), name: words.optionalText(), isIncognito: words.bool()),
                Connect(
                    owner(&words), link: words.text(), name: words.optionalText(), isIncognito: words.bool(),
                    plansFirst: words.bool(), isQueued: words.bool()),
                PlanConnection(owner(&words), link: words.text()),
                PlanConnection(owner(&words), link: "@alice.simplex", words.bool() ? .known : .never),
                SetProfileName(ProfileID(words.id()), words.bool() ? "alice.simplex" : nil),
                VerifyName(.reference(.direct(ContactID(words.id())))),
                VerifyName(.reference(.group(GroupID(words.id())))), ListInvitations(owner(&words)),
                DeleteConnection(ConnectionID(words.id())), SetIncognito(ConnectionID(words.id()), words.bool()),
                MoveConnection(ConnectionID(words.id()), to: ProfileID(words.id())),
                SetConnectionAlias(ConnectionID(words.id()), words.optionalText() ?? ""),
                PrepareContact(
                    ProfileID(words.id()), link: "simplex:/x", domain: words.bool() ? "alice.simplex" : nil,
                    ContactLinkContent(
                        profile: Profile(displayName: words.text()),
                        welcome: words.bool() ? MessageContent(words.text()) : nil)),
                ConnectPrepared(
                    ContactID(words.id()), isIncognito: words.bool(),
                    message: words.bool() ? MessageContent(words.text()) : nil, isQueued: words.bool()),
                MovePrepared(ContactID(words.id()), to: ProfileID(words.id())), ShowConnection(ContactID(words.id())),
                EnableContact(.reference(.direct(ContactID(words.id())))), EnableContact(.name(words.text())),
                SetProfileAddress(owner(&words), words.bool()),
            ]
            return commands
        }.flatMap { $0 }
    }

    private static var addresses: [any ChatCommand] {
        random(4) { words in
            let settings = AddressSettings(
                accepts: words.bool(), isBusiness: words.bool(),
                welcome: words.bool() ? MessageContent(words.text()) : nil)
            let commands: [any ChatCommand] = [
                CreateAddress(owner(&words)), ShowAddress(owner(&words)), AddShortLink(owner(&words)),
                RotateAddress(owner(&words)), DeleteAddress(owner(&words)), SetAddress(owner(&words), settings),
            ]
            return commands
        }.flatMap { $0 }
    }

    private static var requests: [any ChatCommand] {
        random(5, count: 100) { words in
            let target: RequestTarget = words.bool() ? .id(RequestID(words.id())) : .name(words.text())
            let commands: [any ChatCommand] = [
                ListRequests(owner(&words)), RejectRequest(target),
                AcceptRequest(
                    target, isIncognito: words.bool(), allowsShown: words.bool(), isQueued: words.bool()),
            ]
            return commands
        }.flatMap { $0 }
    }
}
