import ControlSocket
import SystemIO
import TerminalKit

/// Passes requests on standard input to the process that has the store open, and its answers to standard output.
enum RPCBridge {
    static func run(_ hosted: StoreIsHosted) throws -> ExitCode {
        let socket = try UnixSocket.connect(to: hosted.socket)
        let writing = try FileDescriptor(copying: socket.number)
        let number = writing.release()
        WorkerThread.start {
            let writing = FileDescriptor(owning: number), input = FileDescriptor(owning: 0)
            while let bytes = try? input.read(65536), !bytes.isEmpty {
                guard (try? writing.write(bytes)) != nil else { return }
            }
            UnixSocket.finishSending(on: writing.number)
        }
        let output = Output(descriptor: 1, traits: .pipe)
        while true {
            let bytes = try socket.read(65536, "read from the socket")
            guard !bytes.isEmpty else { return .ok }
            try output.write(bytes)
            try output.flush()
        }
    }
}
