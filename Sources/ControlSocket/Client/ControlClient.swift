import ByteCoding
public import JSONCoding
public import SystemIO

/// The end of a conversation that asks. Its calls block.
public struct ControlClient: ~Copyable {
    private let socket: FileDescriptor
    private var splitter = LineSplitter()
    private var lines: [Bytes?] = []
    /// How long the other side may say nothing before it is asked whether it is there, and how long it may take to say so;
    /// nil where it is waited for without a limit.
    private var patience: (silence: Duration, answer: Duration)?
    /// Whether it was asked and has not said anything since.
    private var isAsked = false

    /// Asks the other side to show that it takes requests. Whatever it answers will do.
    public static let pingMethod = "tacit.ping"
    private static let pingID: JSONValue = "ping"

    /// Connects.
    ///
    /// - Parameter patience: How long the other side may take to accept what is sent to it.
    /// - Throws: ``SystemError``, with the condition `.denied` if somebody else listens there; one that can be made again later
    ///   if it takes too long.
    public init(to path: String, within patience: Duration? = nil) throws(SystemError) {
        socket = try ControlClient.connect(to: path, within: patience)
    }

    static func connect(to path: String, within patience: Duration? = nil) throws(SystemError) -> FileDescriptor {
        let socket = try UnixSocket.connect(to: path, within: patience)
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
            line.removeFirst(try PassedDescriptor.send(line, with: [descriptor], on: socket.number))
        }
        while !line.isEmpty { line.removeFirst(try UnixSocket.send(line, on: socket.number)) }
    }

    /// Makes sure that the other side takes requests, before it gets one: one that has stopped keeps what it was sent, and
    /// would carry it out whenever it goes on.
    ///
    /// - Throws: ``SystemError``; one that can be made again later if nothing came in time.
    public mutating func ping(within patience: Duration) throws(SystemError) {
        try ask(patience)
        while isAsked {
            guard try receive() else { throw SystemError("read from the socket", number: SystemError.disconnected) }
        }
        try UnixSocket.limitReading(nil, on: socket.number)
    }

    /// Has ``next()`` fail when the other side does not show any more that it is there.
    ///
    /// - Parameters:
    ///   - silence: How long it may say nothing before it is asked.
    ///   - answer: How long it may take to say something then.
    public mutating func keepAsking(after silence: Duration, patience answer: Duration) throws(SystemError) {
        patience = (silence, answer)
        try UnixSocket.limitReading(silence, on: socket.number)
    }

    /// The next message, or nil when the other side has gone. What is no message is passed over.
    ///
    /// - Throws: ``SystemError``; one that can be made again later if the other side is there and does not answer, and one
    ///   with the condition `.tooLong` for a line that is longer than ``LineSplitter/limit``.
    public mutating func next() throws(SystemError) -> RPCMessage? {
        while true {
            while !lines.isEmpty {
                // It may be the answer: who passes it over waits for ever.
                guard let line = lines.removeFirst() else {
                    throw SystemError("read from the socket", number: SystemError.tooLong)
                }
                if let message = RPCMessage(decoding: line), !message.answersPing { return message }
            }
            let isThere: Bool
            do throws(SystemError) {
                isThere = try receive()
            } catch {
                guard error.isRetry, !isAsked, let patience else { throw error }
                try ask(patience.answer)
                continue
            }
            guard isThere else { return nil }
        }
    }

    private mutating func ask(_ patience: Duration) throws(SystemError) {
        isAsked = true
        try UnixSocket.limitReading(patience, on: socket.number)
        try send(RPCRequest(id: ControlClient.pingID, method: ControlClient.pingMethod, params: nil).json)
    }

    /// Waits for something to read. False if nothing will come any more.
    private mutating func receive() throws(SystemError) -> Bool {
        let bytes = try socket.read(65536, "read from the socket")
        guard !bytes.isEmpty else { return false }
        lines += splitter.lines(bytes)
        if isAsked {
            isAsked = false
            try UnixSocket.limitReading(patience?.silence, on: socket.number)
        }
        return true
    }

    fileprivate static func isPing(_ id: JSONValue) -> Bool { id == pingID }
}

extension RPCMessage {
    /// Whether it only shows that somebody is there.
    fileprivate var answersPing: Bool {
        switch self {
        case .result(_, let id), .error(_, _, _, let id): ControlClient.isPing(id)
        case .notification: false
        }
    }
}
