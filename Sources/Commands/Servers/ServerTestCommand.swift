import ChatCore
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// `tacit server test`
enum ServerTestCommand {
    static let name = Positional<String?>(
        optional: "ADDRESS|HOST", "The relay, which need not be on the list; all that are used without it",
        .text("ADDRESS|HOST", completing: .server))

    static let leaf: Leaf = .init(
        Command(
            "server test", "Find out whether a relay can be used",
            promise: "a queue was made there, secured and deleted", store: .reading, positionals: [name],
            examples: [
                Example("tacit server test", "All relays that are used"),
                Example(
                    "tacit server test smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example",
                    "Before it is added"),
            ],
            exits: [65, 67, 68, 69, 75, 76, 79, 80], reports: ServerTestReport.forms,
            discussion: """
                The report says at which step it failed: resolve, connect, tls (it is another relay than the address says), \
                handshake, create (it asks for a password), secure or delete. With several relays the exit code is 80 if some \
                of them can be used.
                """),
        purpose: { $0[name].map { "test the relay \(ServerCommand.quoted($0))" } ?? "test the relays" },
        run: { try StoreAccess($0, isWriting: false, usesNetwork: true).run(test) })

    private static func test(_ session: StoreSession) async throws -> ExitCode {
        try await test(try await servers(session.invocation[name], session), session)
    }

    /// Tests all relays that are used.
    static func testAll(_ session: StoreSession) async throws -> ExitCode {
        try await test(try await servers(nil, session), session)
    }

    private static func test(_ servers: [ConfiguredServer], _ session: StoreSession) async throws -> ExitCode {
        var codes: [ExitCode] = []
        for server in servers { codes.append(try await test(server, session)) }
        return .together(codes)
    }

    /// The server that was named, or all that are used.
    static func servers(_ name: String?, _ session: StoreSession) async throws -> [ConfiguredServer] {
        guard let word = name else {
            let groups = try await session.servers()
            let used = groups.flatMap { group in group.servers.filter(group.uses) }
            guard used.isEmpty else { return used.map(\.server) }
            throw groups.contains(where: \.needsConditions) ? ChatError.conditionsNotAccepted : ChatError.noServer
        }
        guard word.hasPrefix("smp://") else { return [try await session.server(word).server.server] }
        guard let server = try? ConfiguredServer(text: word) else {
            throw Reason.invalidServerAddress
        }
        return [server]
    }

    private static func test(_ server: ConfiguredServer, _ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { "testing \(server.address.place)" }
        let failure = try await session.execute(TestServer(try await session.profileID(), server)).failure
        session.progress.stop()
        try invocation.print(done: ServerTestReport(address: server.address, failure: failure))
        guard let failure else { return .ok }
        return invocation.report(
            Reason(failure).failure(during: "use the relay \(UntrustedText(server.address.place).quoted)"))
    }
}
