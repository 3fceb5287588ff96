import ChatCore
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// `tacit server test`
enum ServerTestCommand {
    static let name = Positional<String?>(
        optional: "ADDRESS|HOST", "Relay to test, listed or not; without it, all relays in use",
        .text("ADDRESS|HOST", completing: .server))

    static let leaf: Leaf = .init(
        Command(
            "server test", "Test whether a relay accepts queues or files",
            promise: """
                a queue was created, secured and deleted on each relay (on a file relay: a file was uploaded, downloaded and \
                deleted)
                """,
            store: .reading, positionals: [name],
            examples: [
                Example("tacit server test", "Test all relays in use"),
                Example(
                    "tacit server test smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example",
                    "Test a relay before adding it"),
            ],
            exits: [65, 67, 68, 69, 75, 76, 79, 80], reports: ServerTestReport.forms,
            discussion: """
                Each report names the failed step: resolve, connect, tls (the certificate differs from the address), \
                handshake, create (a password may be required), secure or delete. For file relays it is createFile, \
                uploadFile, downloadFile, compareFile or deleteFile. With several relays the exit code is 80 if only some \
                passed.
                """),
        purpose: { $0[name].map { "test the relay \(ServerCommand.quoted($0))" } ?? "test the relays" },
        run: { try StoreOpener($0, isWriting: false, usesNetwork: true).run(test) })

    private static func test(_ session: CommandSession) async throws -> ExitCode {
        let word = session.invocation[name]
        if let word, word.hasPrefix(XFTPWord.prefix), let server = try? ConfiguredServer(text: word, scheme: .xftp) {
            return try await test(server, isForFiles: true, session)
        }
        if let word, !word.hasPrefix("smp://") {
            let server = try await session.server(word).server
            guard let server = server.profileServer else { throw Reason.testOfChatRelay(server.address) }
            return try await test(server.server, isForFiles: server.isForFiles, session)
        }
        return try await test(try await servers(word, session), session)
    }

    /// Tests all relays that are used.
    static func testAll(_ session: CommandSession) async throws -> ExitCode {
        try await test(try await servers(nil, session), session)
    }

    private static func test(_ servers: [Tested], _ session: CommandSession) async throws -> ExitCode {
        var codes: [ExitCode] = []
        for tested in servers {
            codes.append(try await test(tested.server, isForFiles: tested.isForFiles, session))
        }
        return .together(codes)
    }

    /// A relay to test.
    typealias Tested = (server: ConfiguredServer, isForFiles: Bool)

    /// The relay for messages that was named, or all that are used, those for files last.
    static func servers(_ name: String?, _ session: CommandSession) async throws -> [Tested] {
        guard let word = name else {
            let groups = try await session.servers()
            let used = ServerReport.list(groups).filter(\.isUsed).compactMap(\.server.profileServer)
            guard used.allSatisfy(\.isForFiles) else { return used.map { ($0.server, $0.isForFiles) } }
            throw groups.contains(where: \.needsConditions) ? ChatError.conditionsNotAccepted : ChatError.noServer
        }
        guard word.hasPrefix("smp://") else {
            let server = try await session.server(word).server
            guard let server = server.profileServer else { throw Reason.testOfChatRelay(server.address) }
            return [(server.server, false)]
        }
        guard let server = try? ConfiguredServer(text: word) else {
            throw Reason.invalidServerAddress
        }
        return [(server, false)]
    }

    private static func test(
        _ server: ConfiguredServer, isForFiles: Bool = false, _ session: CommandSession
    ) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { "testing \(server.address.place)" }
        let failure = try await session.execute(
            TestServer(try await session.profileID(), server, isForFiles: isForFiles)
        ).failure
        session.progress.stop()
        try invocation.print(done: ServerTestReport(address: server.address, isForFiles: isForFiles, failure: failure))
        guard let failure else { return .ok }
        return invocation.report(
            Reason(failure).failure(during: "use the relay \(UntrustedText(server.address.place).quoted)"))
    }
}
