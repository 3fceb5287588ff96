import Glibc
import SystemIO
import Testing

/// The program that was built beside the tests, serving a relay.
struct RelayProcess {
    let pid: Int32
    /// Where it listens.
    let port: UInt16

    /// Starts it for the relay in a folder and waits until it listens.
    init(_ path: String) throws {
        let tests = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = (tests + ["tacit"]).joined(separator: "/")
        try #require(Files.exists(program), "the program was built")
        let child = try Subprocess(program, ["tacit", "relay", "start", path, "--ready-fd", "1"], environment: [:])
        pid = child.pid
        let line = String(decoding: try child.output.read(1000), as: UTF8.self)
        port = try #require(line.split(whereSeparator: { ":\n".contains($0) }).last.flatMap { UInt16($0) }, "\(line)")
    }

    /// Sends a signal and waits for the end.
    func end(by signal: Int32) throws -> Subprocess.Ending {
        kill(pid, signal)
        return try Subprocess.wait(for: pid)
    }
}
