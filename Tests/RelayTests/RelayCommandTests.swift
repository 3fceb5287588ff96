import Glibc
import SystemIO
import TestSupport
import Testing

/// The commands of an operator, by the program itself.
@Suite(.timeLimit(.minutes(60))) struct RelayCommandTests {
    private let temporary: TemporaryFolder
    private let path: String

    init() throws {
        temporary = try TemporaryFolder()
        path = "\(temporary.path)/relay"
    }

    private struct Result {
        let code: Int32?
        let output: String
        let errors: String
    }

    /// Runs `tacit relay ...`.
    private func relay(_ words: [String]) throws -> Result {
        let result = try Subprocess(
            RelayProcess.program(), ["tacit", "relay"] + words, environment: ["HOME": temporary.path]
        ).finish()
        let code: Int32? = if case .exited(let code) = result.ending { code } else { nil }
        return Result(
            code: code, output: String(decoding: result.output, as: UTF8.self),
            errors: String(decoding: result.errors, as: UTF8.self))
    }

    private func relay(_ words: String...) throws -> Result {
        try relay(words)
    }

    /// Makes a relay; returns what was printed.
    private func makeRelay(_ words: String...) throws -> String {
        let result = try relay(
            ["init", path, "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0"] + words)
        #expect(result.code == 0, "\(result.errors)")
        return result.output
    }

    @Test func thePasswordIsPartOfTheAddressOnlyIfThatIsAskedFor() throws {
        let made = try makeRelay("--create-password")
        let parts = try #require(made.split(separator: "@").first).split(separator: ":")
        let password = try #require(parts.last)
        #expect(parts.count == 3 && password.utf8.count == 32, "\(made)")
        let settings = String(decoding: try Files.read("\(path)/relay.conf", limit: 65536), as: UTF8.self)
        #expect(settings.contains("password = \(password)\n"))
        #expect(try relay("address", path, "--with-password").output == made)
        let address = try #require(made.split(separator: "@").last)
        #expect(try relay("address", path).output == "\(parts[0]):\(parts[1])@\(address)")
        #expect(try !relay("status", path, "--json").output.contains(password))
        // Output and log of a service are kept in the journal, which others may read.
        let process = try RelayProcess(path)
        #expect(process.addresses == ["\(parts[0]):\(parts[1])@\(address.dropLast())"])
        let log = try process.log()
        #expect(!log.contains(password), "\(log)")
        #expect(log.contains("'tacit relay address --with-password \(path)'"), "\(log)")
        let both = try relay("init", "\(path)2", "--host", "x", "--create-password", "--password-file", "y")
        #expect(both.code == 64 && both.output.isEmpty)
    }

    @Test func oneAddressCanBeSelected() throws {
        let both = try makeRelay("--xftp-port", "0").split(separator: "\n")
        #expect(both.count == 2 && both[0].hasPrefix("smp://") && both[1].hasPrefix("xftp://"))
        #expect(try relay("address", path, "--smp").output == "\(both[0])\n")
        #expect(try relay("address", path, "--xftp").output == "\(both[1])\n")
        #expect(try relay("address", path, "--xftp", "--plain").output == "\(both[1])\n")
        #expect(try relay("address", path, "--smp", "--xftp").code == 64)
        let other = "\(temporary.path)/messages"
        #expect(try relay("init", other, "--host", "127.0.0.1", "--port", "0").code == 0)
        let refused = try relay("address", other, "--xftp")
        #expect(refused.code == 69 && refused.output.isEmpty && refused.errors.contains("serves no files"))
    }

    @Test func theStatusSaysWhetherItRuns() throws {
        let address = try makeRelay()
        let stopped = try relay("status", path, "--plain")
        #expect(stopped.code == 0 && stopped.output == "stopped\t0\t0\t\(address)")
        #expect(try relay("status", path, "--check").code == 1)
        let process = try RelayProcess(path)
        let running = try relay("status", path, "--check", "--plain", "--fields", "state,pid,queues")
        #expect(running.code == 0 && running.output == "running\t\(process.id)\t0\n")
        let json = try relay("status", path, "--json").output
        #expect(json.hasPrefix("{\"v\":1,\"type\":\"relay-status\",\"state\":\"running\""))
        #expect(json.contains("\"since_start\":{\"accepted_connections\":0") && json.contains("\"now\":{"))
        let text = try relay("status", path).output
        #expect(text.hasPrefix("relay    running, pid \(process.id)\n"), "\(text)")
        #expect(try relay("address", path, "--json").output.contains("\"state\":\"listening\""))
        #expect(try process.end(by: SIGTERM) == .exited(0))
        #expect(try relay("status", path, "--check", "-q").code == 1)
    }

    @Test func aBackupIsMadeOnce() throws {
        _ = try makeRelay()
        let file = "\(temporary.path)/backup.tar"
        let process = try RelayProcess(path)
        let made = try relay("backup", path, file, "--json")
        #expect(made.code == 0 && made.output.hasPrefix("{\"v\":1,\"type\":\"relay-backup\",\"file\":\""), "\(made)")
        #expect(made.output.contains("\"relay.db\"") && made.output.contains("\"ca.key\""))
        let size = try Files.status(file).size
        let again = try relay("backup", path, file, "--json")
        #expect(again.code == 73 && again.output.isEmpty && again.errors.contains("\"code\":\"system.exists\""))
        #expect(try Files.status(file).size == size)
        #expect(try process.end(by: SIGTERM) == .exited(0))
    }

    @Test(arguments: ["status", "address", "backup"]) func aFolderWithoutARelay(_ verb: String) throws {
        let file = verb == "backup" ? ["\(temporary.path)/file"] : []
        let result = try relay([verb, path] + file + ["--json"])
        #expect(result.code == 66 && result.output.isEmpty)
        #expect(result.errors.contains("\"code\":\"relay.missing\""))
        #expect(try Files.names(in: temporary.path).isEmpty)
    }
}
