public import ByteCoding
public import JSONCoding
public import SystemIO

/// One end of a conversation in lines, on a loop.
public final class ControlConnection {
    private let loop: EventLoop
    private let input: FileDescriptor
    /// nil if the input is a socket, which carries both ways.
    private let output: BackgroundWriter<SystemError>?
    /// The number of the output whose reader is watched; nil if nothing tells that the reader has gone.
    private var watchedOutput: Int32?
    private var splitter = LineSplitter()
    private var outgoing: Bytes = []
    private var isClosed = false
    /// Whether the other side sends no more, though it may still read.
    private var hasEnded = false
    /// Whether it ends as soon as all is sent.
    private var isFinishing = false
    private var onLine: (ControlConnection, Bytes?) -> Void = { _, _ in }
    private var onEnd: () -> Void = {}
    private var onClose: () -> Void = {}

    /// How much may wait for a reader before the connection is given up: the reader has gone to sleep.
    private static let pendingLimit = 64 << 20
    private static let chunk = 65536

    /// Talks over a connected, non-blocking socket.
    public init(socket: Int32, loop: EventLoop) {
        input = FileDescriptor(owning: socket)
        output = nil
        self.loop = loop
    }

    /// Connects to who listens at a path, as the end that asks.
    ///
    /// - Parameters:
    /// - Throws: ``SystemError``, with the condition `.denied` if somebody else listens there.
    ///   - timeout: How long the other side may take to accept the connection.
    public convenience init(to path: String, loop: EventLoop, within timeout: Duration) throws(SystemError) {
        let socket = try ControlConnection.connect(to: path, within: timeout)
        try UnixSocket.stopBlocking(socket.number)
        self.init(socket: socket.release(), loop: loop)
    }

    /// Whether somebody of this user listens at a path.
    public static func isTaken(_ path: String) -> Bool {
        (try? connect(to: path, within: .seconds(1))) != nil
    }

    private static func connect(to path: String, within timeout: Duration) throws(SystemError) -> FileDescriptor {
        let socket = try UnixSocket.connect(to: path, within: timeout)
        // SECURITY: what is asked may hold secrets, and whoever can write into the folder could listen.
        guard try UnixSocket.peerUser(of: socket.number) == ProcessEnvironment.userID else {
            throw SystemError("connect to the socket", number: SystemError.denied)
        }
        return socket
    }

    /// Talks over a pair of descriptors, which may be any.
    public init(input: Int32, output: Int32, loop: EventLoop) {
        self.input = FileDescriptor(owning: input)
        watchedOutput = output
        let file = SharedFile(FileDescriptor(owning: output))
        self.output = BackgroundWriter(
            limit: ControlConnection.pendingLimit, overflow: SystemError("write", number: SystemError.wouldWait)
        ) { bytes throws(SystemError) in
            try file.file.write(bytes)
        }
        self.loop = loop
    }

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - onLine: Gets each line; nil for one that was too long.
    ///   - onEnd: Called once, when nothing more will be asked. Whoever has no answer left to give calls ``finish()``.
    ///   - onClose: Called once, when the other side has gone or ``close()`` was called.
    public func start(
        onLine: @escaping (ControlConnection, Bytes?) -> Void, onEnd: @escaping () -> Void,
        onClose: @escaping () -> Void
    ) throws(SystemError) {
        self.onLine = onLine
        self.onEnd = onEnd
        self.onClose = onClose
        try loop.watch(input.number, for: .reading) { [weak self] ready in self?.handle(ready) }
        guard let number = watchedOutput else { return }
        do throws(SystemError) {
            // Only the end is waited for, which the system always reports. A reader may go that nothing is sent to.
            try loop.watch(number, for: []) { [weak self] _ in self?.close() }
        } catch {
            // A file has no reader.
            watchedOutput = nil
        }
    }

    deinit {
        if !isClosed { stopWatching() }
    }

    private func stopWatching() {
        loop.unwatch(input.number)
        if let watchedOutput { loop.unwatch(watchedOutput) }
    }

    /// Sends an object as a line. What a closed connection should have said is lost.
    public func send(_ object: JSONObject) {
        guard !isClosed else { return }
        let line = object.encoded + [UInt8(ascii: "\n")]
        if let output {
            do throws(SystemError) { try output.put(line) } catch { close() }
            return
        }
        outgoing += line
        guard outgoing.count <= ControlConnection.pendingLimit else { return close() }
        flush()
    }

    /// Waits until the system has taken over what was sent to a pair of descriptors, however long its reader takes.
    public func delivered() async {
        guard let output else { return }
        await withCheckedContinuation { continuation in output.whenIdle { continuation.resume() } }
    }

    /// Calls `action` when what happens now has been dealt with.
    public func afterThisTurn(_ action: @escaping () -> Void) {
        loop.atEndOfTurn(action)
    }

    /// Whether something waits for the reader of a socket.
    public var isSending: Bool { !isClosed && !outgoing.isEmpty }

    /// Ends the conversation when all that was said is sent.
    public func finish() {
        guard isSending else { return close() }
        isFinishing = true
    }

    /// Ends the conversation.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        stopWatching()
        let finish = onClose
        onLine = { _, _ in }
        onEnd = {}
        onClose = {}
        finish()
    }

    // MARK: - Steps

    private func handle(_ ready: EventLoop.Interest) {
        // The system reports, whatever is asked for, that the other side is not there any more.
        if hasEnded, ready.isEmpty { return close() }
        if ready.contains(.writing) { flush() }
        if !isClosed, ready.contains(.reading) { read() }
    }

    private func read() {
        let bytes: Bytes
        do throws(SystemError) {
            bytes = try input.read(ControlConnection.chunk)
        } catch {
            if !error.isRetry { close() }
            return
        }
        guard !bytes.isEmpty else { return end() }
        take(splitter.lines(bytes))
    }

    private func take(_ lines: [Bytes?]) {
        for line in lines where !isClosed { onLine(self, line) }
    }

    private func end() {
        hasEnded = true
        // The last line need not have an end.
        take(splitter.last())
        guard !isClosed else { return }
        if output == nil { loop.rewatch(input.number, for: []) } else { loop.unwatch(input.number) }
        onEnd()
    }

    private func flush() {
        while !outgoing.isEmpty {
            do throws(SystemError) {
                outgoing.removeFirst(try UnixSocket.send(outgoing, on: input.number))
            } catch {
                guard error.isRetry else { return close() }
                return loop.rewatch(input.number, for: hasEnded ? .writing : [.reading, .writing])
            }
        }
        if isFinishing { return close() }
        loop.rewatch(input.number, for: hasEnded ? [] : .reading)
    }
}

extension ControlConnection: CoreTransport {
    public func start(
        onLine: @escaping (Bytes?) -> Void, onClose: @escaping () -> Void
    ) throws(SystemError) {
        try start(onLine: { _, line in onLine(line) }, onEnd: { [weak self] in self?.close() }, onClose: onClose)
    }
}

/// An open file that several hold; it is closed with the last of them.
public final class SharedFile: Sendable {
    public let file: FileDescriptor

    public init(_ file: consuming FileDescriptor) {
        self.file = file
    }
}
