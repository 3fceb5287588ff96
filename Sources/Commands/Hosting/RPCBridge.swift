import ControlSocket
import SystemIO
import TerminalKit

/// Passes requests on standard input to the process that has the store open, and its answers to standard output.
enum RPCBridge {
    static func run(_ hosted: StoreIsHosted) throws -> ExitCode {
        let socket = try UnixSocket.connect(to: hosted.socket)
        let writing = try FileDescriptor(copying: socket.number)
        let input = RPCInput()
        input.copy(to: writing.release()) { UnixSocket.finishSending(on: $0) }
        let output = Output(descriptor: 1, traits: .pipe)
        while true {
            let bytes = try socket.read(65536, "read from the socket")
            guard !bytes.isEmpty else { return try input.end() }
            try output.write(bytes)
            try output.flush()
        }
    }
}
