import AgentProtocol
import ChatCore
import Commands
import JSONCoding
import Relay
import SMPProtocol
import SecureTransport
import Store
import SystemIO
import TerminalKit
import Testing

/// Every error has words, and they have the form that people and scripts rely on.
@Suite struct FailureWordingTests {
    /// The longest name that there can be, of the widest characters.
    private static let longName = String(repeating: "界", count: 50)

    private static let relayProblems: [RelayProblem] = [
        .unknownHost, .unreachable("connection refused"), .timedOut, .closed, .wrongIdentity, .incompatible,
        .unexpected, .offline,
        .authorization, .blocked, .full, .refused("INTERNAL"), .refused("LARGE_MSG"), .proxyRequired,
        .proxyFailed("it does not speak SOCKS5"), .proxyLogin, .hostExcluded, .forwarderRequired,
        .forwarder(.timedOut), .forwarder(.authorization),
    ]

    private static func chatErrors() throws -> [ChatError] {
        let server = try ServerAddress(
            text: "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@a-long-name-of-a-relay.somewhere.example:5223")
        let databases: [DatabaseProblem] = [
            .busy, .diskFull, .disk, .damaged, .cannotOpen, .wrongKey, .keyMissing, .memory, .newer, .older, .foreign,
        ]
        return [
            .noActiveProfile, .profileNotFound(ProfileID(1)), .nameTaken("alice"),
            .invalidName("it's me", suggestion: nil),
            .invalidName("it's me", suggestion: "its me"), .invalidProfile, .contactNotFound(ContactID(1)),
            .contactNotFoundByName("alice"), .itemNotFound(ChatItemID(1)),
            .connectionNotFound(AgentProtocol.ConnectionID(1)),
            .invalidLink, .unsupportedLink, .ownLink, .noServer, .conditionsNotAccepted, .serverExists(server),
            .serverNotFound(ServerID(1)), .presetServer(server), .contactNotReady("alice"), .contactNotActive("alice"),
            .emptyMessage, .messageTooLarge(size: 100_000, limit: 15602), .commandSyntax, .readOnly, .incompatibleLink,
            .internal,
        ] + databases.map { .database($0) }
            + relayProblems.map { .relay(RelayObstacle(server: server, problem: $0)) }
    }

    private static let otherErrors: [any Error] = [
        RelayError.exists, RelayError.missing, RelayError.running(note: [0x34, 0x32, 0x0a]),
        RelayError.settings(line: 0, reason: "the line 'host = NAME' is missing"),
        RelayError.settings(line: 12, reason: "there is no such setting"), RelayError.certificateFile,
        RelayError.identityKey,
        RelayError.fingerprint, RelayError.cryptography, RelayError.system(SystemError("open the file", number: 13)),
        RelayError.store(StoreError(.damaged)), RelayError.listening(.timedOut(.connecting)),
        RelayError.listening(.unknownHost),
        RelayError.listening(.unreachable(SystemError("listen", number: 98))),
        OutputError.full, OutputError.stalled, OutputError.closed, OutputError.failed(SystemError("write", number: 5)),
        SystemError("open the file", number: 2), SystemError("create the file", number: 17),
        SystemError("create the file", number: 28), SystemError("start a thread", number: 11),
    ]

    private static func failures() throws -> [Failure] {
        try (chatErrors() + otherErrors).map { Explained($0).failure(during: "send to '@alice'") }
    }

    @Test func linesHaveTheirForm() throws {
        for failure in try Self.failures() {
            let lines = failure.lines.map(\.text)
            let first = try #require(lines.first)
            #expect(first.hasPrefix("tacit: cannot ") && !first.hasSuffix(".") && !first.hasSuffix("…"), "\(first)")
            #expect(lines.allSatisfy { !$0.hasSuffix("…") }, "\(lines)")
            #expect(failure.lines.allSatisfy { $0.width <= 100 }, "\(lines)")
            for fact in failure.why {
                #expect(fact.first?.isUppercase == false && !fact.hasSuffix("."), "\(fact)")
            }
        }
    }

    @Test func everyFailureFails() throws {
        for failure in try Self.failures() {
            #expect(![.ok, .no, .partial].contains(failure.exit), "\(failure.code.text)")
            #expect(failure.code.text != "usage.error")
        }
    }

    /// Scripts branch on exit codes first and on slugs second, so a slug says more, not something else.
    @Test func aSlugHasOneExitCode() throws {
        var codes: [Slug: ExitCode] = [:]
        for failure in try Self.failures() {
            #expect(
                codes.updateValue(failure.exit, forKey: failure.code) ?? failure.exit == failure.exit,
                "\(failure.code.text)")
        }
    }

    /// A mistake of this program is no excuse for what has other reasons.
    @Test func onlyMistakesOfThisProgramAreBugs() throws {
        let bugs = try (Self.chatErrors() + Self.otherErrors).filter {
            Explained($0).failure(during: "x").exit == .bug
        }
        #expect(bugs.count == 3)
    }

    @Test func longNamesAreCutAndNotWrapped() {
        let failure = Explained(ChatError.nameTaken(Self.longName)).failure(
            during: "make the profile \(UntrustedText(Self.longName).quoted)")
        #expect(failure.lines.allSatisfy { $0.width <= 100 })
    }

    @Test func exitCodesAreThoseOfTheManual() throws {
        let expected: [(ChatError, String, ExitCode)] = [
            (.noActiveProfile, "profile.none", .config), (.nameTaken("x"), "name.taken", .noOutput),
            (.invalidName("", suggestion: nil), "name.invalid", .usage),
            (.contactNotFoundByName("x"), "contact.unknown", .noTarget), (.invalidLink, "link.invalid", .data),
            (.ownLink, "link.own", .data), (.emptyMessage, "message.empty", .usage),
            (.messageTooLarge(size: 2, limit: 1), "message.too-large", .data), (.noServer, "server.none", .config),
            (.contactNotReady("x"), "contact.not-ready", .later),
            (.contactNotActive("x"), "contact.gone", .unavailable), (.database(.busy), "store.busy", .later),
            (.database(.damaged), "store.damaged", .inputOutput), (.internal, "program.bug", .bug),
        ]
        for (error, slug, exit) in expected {
            let failure = Explained(error).failure(during: "x")
            #expect((failure.code.text, failure.exit) == (slug, exit))
        }
        let relays: [(RelayProblem, ExitCode)] = [
            (.unknownHost, .noHost), (.unreachable(""), .later), (.timedOut, .later), (.closed, .later),
            (.wrongIdentity, .trust), (.incompatible, .unavailable), (.unexpected, .protocol),
            (.authorization, .unavailable), (.blocked, .unavailable), (.full, .later), (.refused("INTERNAL"), .later),
            (.refused("LARGE_MSG"), .unavailable), (.proxyRequired, .unavailable), (.proxyFailed(""), .later),
            (.proxyLogin, .denied), (.hostExcluded, .unavailable), (.forwarderRequired, .unavailable),
            (.offline, .later),
            (.forwarder(.timedOut), .later), (.forwarder(.authorization), .unavailable),
        ]
        #expect(relays.count == Self.relayProblems.count)
        let server = try ServerAddress(text: "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example")
        for (problem, exit) in relays {
            let error = ChatError.relay(RelayObstacle(server: server, problem: problem))
            let failure = Explained(error).failure(during: "x")
            #expect(failure.exit == exit)
            #expect(failure.details["relay"]?.string == "smp.example")
        }
    }
}
