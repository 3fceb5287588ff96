import Glibc
import SystemIO
import Testing

/// The program that was built beside the tests, serving a relay.
struct RelayProcess: ~Copyable {
    /// Where it listens.
    let port: UInt16
    /// The addresses that it printed.
    let addresses: [Substring]
    /// Holds the ends of the pipes that the process writes its lines to.
    private let child: Subprocess

    /// Starts it for the relay in a folder and waits until it listens.
    init(_ path: String) throws {
        let child = try Subprocess(RelayProcess.program(), ["tacit", "relay", "start", path], environment: [:])
        let line = String(decoding: try child.output.read(1000), as: UTF8.self)
        let port = line.split(whereSeparator: { ":\n".contains($0) }).last.flatMap { UInt16($0) }
        self.port = try #require(port, "\(line)")
        addresses = line.split(separator: "\n")
        self.child = child
    }

    /// The path of the program.
    static func program() throws -> String {
        let tests = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = (tests + ["tacit"]).joined(separator: "/")
        try #require(Files.exists(program), "the program was built")
        return program
    }

    /// The number of the process.
    var id: Int32 { child.pid }

    /// Ends it and returns its log.
    consuming func log() throws -> String {
        kill(child.pid, SIGTERM)
        let result = try child.finish()
        #expect(result.ending == .exited(0))
        return String(decoding: result.errors, as: UTF8.self)
    }

    /// Sends a signal and waits for the end.
    func end(by signal: Int32) throws -> Subprocess.Ending {
        kill(child.pid, signal)
        return try Subprocess.wait(for: child.pid)
    }
}
