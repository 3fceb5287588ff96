import AgentProtocol
import ChatCore
import ChatSamples
import JSONCoding
import Relay
import SMPProtocol
import SecureTransport
import Store
import SystemIO
import TerminalKit
import TestSupport
import Testing

@testable import Commands

/// Every error has words, and they have the form that people and scripts rely on.
@Suite struct ErrorDeclarationTests {
    /// The longest name that there can be, of the widest characters.
    private static let longName = String(repeating: "界", count: 50)

    @Test func every_declared_error_has_a_sample() throws {
        let declared = try ErrorRegistry("Sources/Commands/Errors/CommandErrors.swift").members
        let samples = CommandErrorSamples.failures.map(\.name) + CommandErrorSamples.reasons.map(\.name)
        #expect(declared.count > 150)
        #expect(declared.symmetricDifference(samples) == [])
    }

    @Test func lines_have_their_form() throws {
        for failure in ErrorSamples.all {
            let lines = failure.lines.map(\.text)
            let first = try #require(lines.first)
            #expect(first.hasPrefix("tacit: ") && !first.hasSuffix(".") && !first.hasSuffix("…"), "\(first)")
            #expect(lines.allSatisfy { !$0.hasSuffix("…") }, "\(lines)")
            #expect(failure.why.count <= 3 && failure.tries.count <= 4, "\(lines)")
            for fact in failure.why {
                let isName = fact.hasPrefix("TACIT_")
                #expect((isName || fact.first?.isUppercase == false) && !fact.hasSuffix("."), "\(fact)")
            }
        }
    }

    @Test func a_reason_ends_the_sentence_of_its_command() {
        for reason in ErrorSamples.reasons {
            #expect(reason.text.first?.isUppercase == false && !reason.text.hasSuffix("."), "\(reason.text)")
            #expect(reason.failure(during: "send").what == "cannot send: \(reason.text)")
        }
    }

    /// A person may be asked for more, a message skipped and an answer be no; nothing else that is reported may be a success.
    @Test func every_error_fails() throws {
        let allowed: Set = ["daemon.none", "exec.skipped"]
        for failure in ErrorSamples.all where !allowed.contains(failure.code.text) {
            #expect(![.ok, .no, .partial].contains(failure.exit), "\(failure.code.text)")
            #expect(failure.code.text != "usage.error")
        }
    }

    /// A mistake of this program is no excuse for what has other reasons.
    @Test func only_mistakes_of_this_program_are_bugs() throws {
        let bugs = Set(ErrorSamples.all.filter { $0.exit == .bug }.map(\.code.text))
        #expect(bugs == ["program.bug", "demo.lost", "store.upgrade"])
        for error in ChatErrorSamples.all where Explained(error).failure(during: "x").exit == .bug {
            #expect([.readOnly, .internal].contains(error), "\(error)")
        }
    }

    /// Scripts branch on exit codes first and on slugs second, so a slug says more, not something else.
    @Test func a_slug_has_one_exit_code() throws {
        var exits: [String: Set<ExitCode>] = [:]
        for failure in ErrorSamples.all { exits[failure.code.text, default: []].insert(failure.exit) }
        #expect(exits.count > 200, "\(exits.count)")
        // The same mistake in an alias, typed for `config set` and found in a file: both were promised.
        #expect(exits.removeValue(forKey: "config.alias") == [.usage, .config])
        for (slug, codes) in exits { #expect(codes.count == 1, "\(slug): \(codes)") }
    }

    /// A file that the user named has the slug of what it is for. Without the right or the room the exit code says that.
    @Test(arguments: [(2 as Int32, ExitCode.noInput), (5, .noInput), (13, .denied), (28, .inputOutput)])
    func a_file_has_the_exit_code_of_its_reason(number: Int32, exit: ExitCode) {
        let reason = Reason.unreadableKeyFile(SystemError("open the file", number: number), at: "/key")
        #expect((reason.code.text, reason.exit) == ("key.file", exit))
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
            (.authorization, .unavailable), (.blocked(reason: "spam"), .unavailable),
            (.addressesRefused(until: nil), .unavailable), (.full, .later), (.refused("INTERNAL"), .later),
            (.refused("LARGE_MSG"), .unavailable), (.proxyRequired, .unavailable), (.proxyFailed(""), .later),
            (.proxyLogin, .denied), (.hostExcluded, .unavailable), (.forwarderRequired, .unavailable),
            (.offline, .later),
            (.forwarder(.timedOut), .later), (.forwarder(.authorization), .unavailable),
        ]
        let server = try ServerAddress(text: "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example")
        for (problem, exit) in relays {
            let error = ChatError.relay(RelayObstacle(server: server, problem: problem))
            let failure = Explained(error).failure(during: "x")
            #expect(failure.exit == exit)
            #expect(failure.details["relay"]?.string == "smp.example")
        }
    }
}
