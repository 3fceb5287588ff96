import ByteCoding
import Glibc
import SMPProtocol
import SystemIO

/// A relay in a temporary folder, in a process of its own, that ends with the benchmark.
final class OwnRelay {
    let server: ConfiguredServer
    private let folder: String
    /// Holds the ends of the pipes that the process writes its lines to.
    private let child: Subprocess

    /// Makes the relay with the `tacit` at `program`, starts it, and waits until it listens.
    init(_ program: String) throws {
        guard Files.exists(program) else { stop("there is no \(program)") }
        folder = try Files.createTemporaryFolder(in: "/tmp", prefix: "relay-bench-")
        let path = "\(folder)/relay", port = unusedPort()
        let environment = ProcessEnvironment.variables()
        let made = try Subprocess(
            program,
            [program, "relay", "init", path, "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "\(port)"],
            environment: environment
        ).finish()
        let words = String(decoding: made.output, as: UTF8.self).split { $0.isWhitespace }
        guard made.ending == .exited(0), let address = words.first(where: { $0.hasPrefix("smp://") }),
            let server = try? ConfiguredServer(text: String(address))
        else {
            try? Files.removeTree(folder)
            stop("\(program) makes no relay")
        }
        self.server = server
        child = try Subprocess(program, [program, "relay", "start", path], environment: environment)
        for _ in 0..<500 {
            if let socket = connectedSocket(host: "127.0.0.1", port: port) {
                close(socket)
                return
            }
            usleep(10_000)
        }
        end()
        stop("the relay does not listen")
    }

    var process: Int { Int(child.pid) }

    /// Ends the process and removes the folder.
    func end() {
        kill(child.pid, SIGTERM)
        _ = try? Subprocess.wait(for: child.pid)
        try? Files.removeTree(folder)
    }
}
