import ByteCoding
public import JSONCoding
public import SystemIO

/// The end of a conversation that asks. Its calls block.
public struct ControlClient: ~Copyable {
    private let socket: FileDescriptor
    private var splitter = LineSplitter()
    private var lines: [Bytes?] = []

    /// Connects.
    ///
    /// - Throws: ``SystemError``, with the condition `.denied` if somebody else listens there.
    public init(to path: String) throws(SystemError) {
        socket = try ControlClient.connect(to: path)
    }

    static func connect(to path: String) throws(SystemError) -> FileDescriptor {
        let socket = try UnixSocket.connect(to: path)
        // SECURITY: what is asked may hold secrets, and whoever can write into the folder could listen.
        guard try UnixSocket.peerUser(of: socket.number) == ProcessEnvironment.userID else {
            throw SystemError("connect to the socket", number: SystemError.denied)
        }
        return socket
    }

    /// The socket, for who waits for several things.
    public var descriptor: Int32 { socket.number }

    /// Sends an object as a line, and with it a file.
    public borrowing func send(_ object: JSONObject, passing descriptor: Int32? = nil) throws(SystemError) {
        var line = object.encoded + [UInt8(ascii: "\n")]
        if let descriptor {
            line.removeFirst(try PassedDescriptor.send(line, with: descriptor, on: socket.number))
        }
        while !line.isEmpty { line.removeFirst(try UnixSocket.send(line, on: socket.number)) }
    }

    /// The next message, or nil when the other side has gone. What is no message is passed over.
    public mutating func next() throws(SystemError) -> RPCMessage? {
        while true {
            while !lines.isEmpty {
                if let line = lines.removeFirst(), let message = RPCMessage(decoding: line) { return message }
            }
            let bytes = try socket.read(65536, "read from the socket")
            guard !bytes.isEmpty else { return nil }
            lines = splitter.lines(bytes)
        }
    }
}
