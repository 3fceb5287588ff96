public import ByteCoding
public import SMPProtocol

/// The error of a command that a file relay rejects, `ERR ...` (smp-agent.md 10.4).
public enum FileRelayError: Error, Hashable, Sendable {
    /// A block or transmission is malformed.
    case block
    /// The session id differs.
    case session
    /// The handshake is missing or wrong.
    case handshake
    /// The command violates the protocol.
    case command(CommandError)
    /// The authorization failed: no such chunk, wrong key or wrong password. The relay does not reveal which.
    case authorization
    /// The operator blocked the chunk. Before version 3, `authorization`.
    case blocked(Blocking)
    /// The size of the chunk is not one of ``XFTP/chunkSizes``, or the body has another size.
    case size
    /// The storage of the relay is full.
    case quota
    /// The body has another digest.
    case digest
    /// The relay failed to encrypt or decrypt.
    case crypto
    /// The chunk was created but not uploaded, or a command lacks its body.
    case noFile
    /// A command has a body that it must not have.
    case hasFile
    /// The storage of the relay failed.
    case fileIO
    /// The body did not arrive in time.
    case timeout
    /// The relay has an internal error.
    case `internal`
    /// An id is already in use.
    case duplicate

    /// The errors that consist of one word.
    private static let words: [(String, FileRelayError)] = [
        ("BLOCK", .block), ("SESSION", .session), ("HANDSHAKE", .handshake), ("AUTH", .authorization), ("SIZE", .size),
        ("QUOTA", .quota), ("DIGEST", .digest), ("CRYPTO", .crypto), ("NO_FILE", .noFile), ("HAS_FILE", .hasFile),
        ("FILE_IO", .fileIO), ("TIMEOUT", .timeout), ("INTERNAL", .internal), ("DUPLICATE_", .duplicate),
    ]

    /// Returns the error in the form of this version.
    func translated(to version: UInt16) -> FileRelayError {
        guard case .blocked = self, version < XFTP.blockedError else { return self }
        return .authorization
    }
}

extension FileRelayError: ByteCodable {
    /// Writes the text form.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .command(let error): writer.ascii("CMD \(error.rawValue)")
        case .blocked(let blocking): writer.ascii("BLOCKED \(blocking.text)")
        default: writer.ascii(FileRelayError.words.first { $0.1 == self }?.0 ?? "INTERNAL")
        }
    }

    /// Reads an error up to the end of the input.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for an unknown word.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        guard let text = String(validUTF8: reader.rest().span) else { throw .invalid("error") }
        if let word = FileRelayError.words.first(where: { $0.0 == text }) {
            self = word.1
        } else if text.hasPrefix("CMD ") {
            guard let error = CommandError(rawValue: String(text.dropFirst(4))) else {
                throw .invalid("command error")
            }
            self = .command(error)
        } else if text.hasPrefix("BLOCKED ") {
            self = .blocked(try Blocking(text: String(text.dropFirst(8))))
        } else {
            throw .invalid("error")
        }
    }
}
