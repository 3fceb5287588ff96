public import ByteCoding

/// Makes messages of the bytes that arrive at one end of a connection.
public struct MessageReader: Sendable {
    /// The end that reads: frames of clients have a mask, frames of servers have none (RFC 6455, section 5.1).
    public enum End: Hashable, Sendable {
        /// The server.
        case server
        /// The client.
        case client
    }

    /// Something that arrived.
    public enum Incoming: Hashable, Sendable {
        /// A whole message, valid UTF-8.
        case text(String)
        /// A whole message of any bytes.
        case binary(Bytes)
        /// A request for a pong with the same payload.
        case ping(Bytes)
        /// An answer to a ping.
        case pong(Bytes)
        /// The end: no message follows. Nil for a frame without a code.
        case close(CloseCode?)
    }

    /// The largest message in bytes, unless another limit is given.
    public static let defaultLimit = 16 << 20

    private let end: End
    private let limit: Int
    private var buffer = Bytes()
    /// Where the first unread byte of the buffer is.
    private var start = 0
    /// The kind and the parts of a message that has begun.
    private var begun: (opcode: Opcode, payload: Bytes)?
    private var isClosed = false

    /// Creates a reader for one end.
    ///
    /// - Parameter limit: The largest message in bytes.
    public init(_ end: End, limit: Int = MessageReader.defaultLimit) {
        self.end = end
        self.limit = limit
    }

    /// Takes bytes that arrived.
    public mutating func take(_ bytes: Bytes) {
        guard !isClosed else { return }
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// Returns the next thing that has arrived completely, or nil if more bytes are needed.
    ///
    /// - Throws: The code with which the connection must be closed. Nothing is read after it.
    public mutating func next() throws(CloseCode) -> Incoming? {
        while !isClosed, let frame = try frame() {
            if let incoming = try incoming(frame) { return incoming }
        }
        return nil
    }

    // MARK: - Frames

    private mutating func frame() throws(CloseCode) -> Frame? {
        do throws(CloseCode) {
            return try readFrame()
        } catch {
            throw fail(error)
        }
    }

    private mutating func readFrame() throws(CloseCode) -> Frame? {
        guard let header = try FrameHeader.read(buffer[start...]) else { return nil }
        guard (header.mask != nil) == (end == .server) else { throw .protocolError }
        if !header.opcode.isControl {
            // What is too large is refused before it arrives.
            guard (header.opcode == .continuation) == (begun != nil) else { throw .protocolError }
            guard header.length <= limit - (begun?.payload.count ?? 0) else { throw .tooLarge }
        }
        let bodyStart = start + header.size
        guard buffer.count - bodyStart >= header.length else { return nil }
        let body = buffer[bodyStart..<bodyStart + header.length]
        start = bodyStart + header.length
        let payload = header.mask.map { FrameHeader.unmasked(body, $0) } ?? Bytes(body)
        return Frame(header.opcode, payload, isFinal: header.isFinal)
    }

    // MARK: - Messages

    private mutating func incoming(_ frame: Frame) throws(CloseCode) -> Incoming? {
        switch frame.opcode {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong(frame.payload)
        case .close:
            let code = try closeCode(frame.payload)
            _ = fail(.normal)
            return .close(code)
        case .text, .binary, .continuation:
            // In place: a message may have very many parts.
            if begun?.payload.append(contentsOf: frame.payload) == nil { begun = (frame.opcode, frame.payload) }
            guard frame.isFinal, let whole = begun else { return nil }
            begun = nil
            guard whole.opcode == .text else { return .binary(whole.payload) }
            // A character may be split between two frames, so only the whole is looked at.
            guard let text = String(validUTF8: whole.payload.span) else { throw fail(.invalidText) }
            return .text(text)
        }
    }

    private mutating func closeCode(_ payload: Bytes) throws(CloseCode) -> CloseCode? {
        guard !payload.isEmpty else { return nil }
        var reader = ByteReader(payload)
        do throws(CloseCode) {
            guard let number = try? reader.uint16() else { throw .protocolError }
            let code = try CloseCode(received: number)
            guard String(validUTF8: reader.rest().span) != nil else { throw .invalidText }
            return code
        } catch {
            throw fail(error)
        }
    }

    /// Reads nothing more.
    private mutating func fail(_ code: CloseCode) -> CloseCode {
        isClosed = true
        buffer = []
        start = 0
        begun = nil
        return code
    }
}
