public import ByteCoding
internal import COpenSSL
internal import Glibc
public import SystemIO

/// A TLS connection on an event loop, which sends and receives blocks of a fixed size, or bytes as they arrive, and reports
/// events to a handler. No call blocks.
///
/// All methods are called on the loop's thread. ``Event/closed(_:)`` is the last event. A connection closed by
/// ``close()`` reports none.
@safe
public final class TLSConnection {
    /// An event of a connection.
    public enum Event {
        /// The handshake succeeded; blocks may be sent.
        case secured(TLSSession)
        /// A block arrived; without a size of blocks, between 1 and 16384 bytes.
        case block(Bytes)
        /// The connection failed, or the other side closed it.
        case closed(ConnectionError)
    }

    /// The side of a connection.
    public enum Side: Sendable {
        /// The client.
        case client
        /// The server.
        case server
    }

    private enum State {
        case handshake
        case open
        case closed
    }

    /// The number of blocks read in one turn, before other connections.
    private static let fairShare = 16

    /// The largest content of a TLS record.
    private static let recordSize = 16384

    /// Called when the other side has accepted all waiting blocks.
    public var whenDrained: (() -> Void)?

    private let loop: EventLoop
    private let side: Side
    private let blockSize: Int
    /// True if bytes are reported as they arrive.
    private let isStream: Bool
    private let writeDeadline: Duration
    private var descriptor: FileDescriptor?
    private let number: Int32
    private let ssl: OpaquePointer
    // The context must outlive the connection.
    private let context: TLSContext
    private var handler: ((Event) -> Void)?
    private var state = State.handshake
    private var isReading = true
    /// The timer of the handshake or of a blocked write.
    private var timer: Timer?
    private var hasProgressed = false
    /// The received part of a block.
    private var incoming: Bytes = []
    private var outgoing = OutgoingBlocks()

    /// Starts the handshake on a connected, non-blocking socket.
    ///
    /// - Parameters:
    ///   - blockSize: The size of every block in bytes; nil reports bytes as they arrive.
    ///   - handshakeDeadline: The time limit of the handshake.
    ///   - writeDeadline: The time limit for writing without progress.
    public init(
        _ descriptor: consuming FileDescriptor, side: Side, context: TLSContext, loop: EventLoop, blockSize: Int?,
        handshakeDeadline: Duration, writeDeadline: Duration, handler: @escaping (Event) -> Void
    ) throws(ConnectionError) {
        guard let ssl = unsafe SSL_new(context.pointer) else { throw .handshakeFailed }
        number = descriptor.number
        unsafe SSL_set_fd(ssl, number)
        switch side {
        case .client: unsafe SSL_set_connect_state(ssl)
        case .server: unsafe SSL_set_accept_state(ssl)
        }
        unsafe self.ssl = ssl
        self.descriptor = consume descriptor
        self.side = side
        self.context = context
        self.loop = loop
        self.blockSize = blockSize ?? TLSConnection.recordSize
        isStream = blockSize == nil
        self.writeDeadline = writeDeadline
        self.handler = handler
        do throws(SystemError) {
            try loop.watch(number, for: [.reading, .writing]) { [unowned self] ready in handle(ready) }
        } catch {
            throw .broken(error)
        }
        timer = loop.after(handshakeDeadline) { [weak self] in self?.fail(.timedOut(.handshake)) }
    }

    deinit {
        if state != .closed { loop.unwatch(number) }
        unsafe SSL_free(ssl)
    }

    /// Replaces the handler of events.
    public func redirect(to handler: @escaping (Event) -> Void) {
        guard state != .closed else { return }
        self.handler = handler
    }

    /// The number of bytes that the other side has not accepted yet.
    public var unsentBytes: Int { outgoing.count }

    /// Queues a block, which is sent as soon as the other side accepts it.
    public func send(_ block: Bytes) {
        guard state == .open else { return }
        outgoing.append(block)
        flush()
    }

    /// Stops reading. The other side can send until the socket buffers are full.
    public func pauseReading() {
        isReading = false
        if state == .open { loop.rewatch(number, for: interest) }
    }

    /// Reads again after ``pauseReading()``. Blocks that arrived meanwhile are reported in a later turn of the loop.
    public func resumeReading() {
        guard !isReading, state == .open else { return }
        isReading = true
        loop.rewatch(number, for: interest)
        // Blocks inside of OpenSSL do not make the socket readable.
        if unsafe SSL_has_pending(ssl) == 1 { readLater() }
    }

    /// Closes the connection without an event. Blocks that were not accepted yet are dropped.
    public func close() {
        guard state != .closed else { return }
        if state == .open { unsafe SSL_shutdown(ssl) }
        state = .closed
        timer?.cancel()
        handler = nil
        whenDrained = nil
        loop.unwatch(number)
        descriptor = nil
    }

    private func fail(_ error: ConnectionError) {
        guard state != .closed else { return }
        let handler = handler
        state = .closed
        timer?.cancel()
        self.handler = nil
        whenDrained = nil
        loop.unwatch(number)
        descriptor = nil
        handler?(.closed(error))
    }

    // MARK: - Events

    private func handle(_ ready: EventLoop.Interest) {
        switch state {
        case .handshake: handshake()
        case .open:
            // A broken connection is reported even without any interest, and would be reported again at once.
            if ready.isEmpty { return fail(.closed) }
            if ready.contains(.writing) { flush() }
            if ready.contains(.reading), isReading { read() }
        case .closed: break
        }
    }

    private func handshake() {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(ssl)
        guard result != 1 else { return secured() }
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: loop.rewatch(number, for: .reading)
        case SSL_ERROR_WANT_WRITE: loop.rewatch(number, for: .writing)
        case SSL_ERROR_SYSCALL where errno != 0: fail(.broken(.last("exchange TLS messages")))
        case SSL_ERROR_SYSCALL, SSL_ERROR_ZERO_RETURN: fail(.closed)
        // As in ``readFailure(_:)``: a server that ends during the handshake is not at fault.
        case SSL_ERROR_SSL where ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING: fail(.closed)
        default: fail(.handshakeFailed)
        }
    }

    private func secured() {
        timer?.cancel()
        timer = nil
        state = .open
        loop.rewatch(number, for: interest)
        unsafe handler?(.secured(TLSSession(ssl, side: side, context: context)))
        // Bytes sent right after the handshake may already be inside of OpenSSL.
        if state == .open, isReading { read() }
    }

    /// The socket events to watch after the handshake.
    private var interest: EventLoop.Interest {
        switch (isReading, outgoing.isEmpty) {
        case (true, true): .reading
        case (true, false): [.reading, .writing]
        case (false, true): []
        case (false, false): .writing
        }
    }

    private func read() {
        for _ in 0..<TLSConnection.fairShare {
            guard let block = readBlock() else { return }
            handler?(.block(block))
            guard state == .open, isReading else { return }
            // No bytes are left: another call to the system would return nothing.
            if unsafe SSL_has_pending(ssl) == 0 { return }
        }
        readLater()
    }

    /// Reads in the next turn of the loop: OpenSSL may hold more bytes, which the poller does not see.
    private func readLater() {
        loop.after(.zero) { [weak self] in
            if let self, self.state == .open, self.isReading { self.read() }
        }
    }

    /// Returns the next complete block, or the bytes that arrived; nil for none.
    private func readBlock() -> Bytes? {
        var failure: ConnectionError?
        let block = unsafe Bytes(unsafeUninitializedCapacity: blockSize) { buffer, filled in
            let block = UnsafeMutableRawBufferPointer(buffer)
            unsafe block.copyBytes(from: incoming)
            filled = incoming.count
            while filled < blockSize {
                ERR_clear_error()
                let count = unsafe SSL_read(ssl, block.baseAddress?.advanced(by: filled), Int32(blockSize - filled))
                guard count > 0 else {
                    failure = readFailure(count)
                    return
                }
                filled += Int(count)
                if isStream { return }
            }
        }
        let isWhole = block.count == blockSize || (isStream && !block.isEmpty)
        incoming = isWhole ? [] : Bytes(block)
        if let failure { fail(failure) }
        return isWhole ? block : nil
    }

    /// Returns the error of a read without a result, or nil if the read has to wait.
    private func readFailure(_ result: Int32) -> ConnectionError? {
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: nil
        case SSL_ERROR_ZERO_RETURN: .closed
        case SSL_ERROR_SYSCALL: errno == 0 ? .closed : .broken(.last("read from the connection"))
        // OpenSSL 3 has a separate error for an end of the stream without a TLS close_notify.
        case SSL_ERROR_SSL where ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING: .closed
        default: .invalidTraffic
        }
    }

    private func flush() {
        while let (block, sent) = outgoing.first {
            ERR_clear_error()
            let count = unsafe block.withUnsafeBytes { buffer in
                unsafe SSL_write(ssl, buffer.baseAddress?.advanced(by: sent), Int32(buffer.count - sent))
            }
            if count > 0 {
                outgoing.advance(Int(count))
                hasProgressed = true
                continue
            }
            switch unsafe SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_READ:
                loop.rewatch(number, for: interest)
                if timer == nil { startWriteTimer() }
                return
            case SSL_ERROR_ZERO_RETURN: return fail(.closed)
            case SSL_ERROR_SYSCALL: return fail(.broken(.last("write to the connection")))
            default: return fail(.invalidTraffic)
            }
        }
        // Only a connection that had to wait has a timer: most blocks are accepted at once.
        guard let timer else { return }
        timer.cancel()
        self.timer = nil
        loop.rewatch(number, for: interest)
        whenDrained?()
    }

    private func startWriteTimer() {
        hasProgressed = false
        timer = loop.after(writeDeadline) { [weak self] in
            guard let self else { return }
            if self.hasProgressed { self.startWriteTimer() } else { self.fail(.timedOut(.writing)) }
        }
    }
}

/// The blocks to write, the first of which may be written in part.
struct OutgoingBlocks {
    private var blocks: [Bytes] = []
    /// The number of written blocks at the start; they are removed together, because removing each would move the rest.
    private var head = 0
    private var sent = 0
    private(set) var count = 0

    var isEmpty: Bool { head == blocks.count }

    /// The first block and its written bytes.
    var first: (Bytes, Int)? {
        head < blocks.count ? (blocks[head], sent) : nil
    }

    mutating func append(_ block: Bytes) {
        blocks.append(block)
        count += block.count
    }

    /// Advances by the written bytes of the first block.
    mutating func advance(_ written: Int) {
        sent += written
        count -= written
        guard sent == blocks[head].count else { return }
        sent = 0
        blocks[head] = []
        head += 1
        if head == blocks.count || head >= 64 {
            blocks.removeFirst(head)
            head = 0
        }
    }
}
