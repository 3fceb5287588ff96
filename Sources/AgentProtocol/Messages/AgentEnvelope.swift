public import ByteCoding
public import Ratchet

/// The envelope of an agent in a queue: the body of a ``ClientMessage`` (smp-agent.md 7.4).
public struct AgentEnvelope: Hashable, Sendable, ByteCodable {
    /// The content of an envelope.
    public enum Content: Hashable, Sendable {
        /// The first message in a queue: connection information encrypted by the ratchet, with the joiner's keys if
        /// they start the ratchet. Letter `C`.
        case confirmation(RatchetParameters?, encrypted: Bytes)
        /// A message encrypted by the ratchet. Letter `M`.
        case message(encrypted: Bytes)
        /// A request to a contact address: a link to an own queue, and connection information. Letter `I`.
        case invitation(link: String, info: Bytes)
        /// Keys for a new ratchet, to replace a lost one. Letter `R`.
        case ratchetKey(RatchetParameters, info: Bytes)
    }

    /// The agreed version in confirmations and invitations, otherwise the sender's newest version.
    public let version: UInt16
    /// The content.
    public let content: Content

    /// Creates an agent envelope from its parts.
    public init(version: UInt16, _ content: Content) {
        self.version = version
        self.content = content
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        version = try reader.uint16()
        switch try reader.uint8() {
        case UInt8(ascii: "C"): content = .confirmation(try reader.optional(), encrypted: reader.rest())
        case UInt8(ascii: "M"): content = .message(encrypted: reader.rest())
        case UInt8(ascii: "I"):
            guard let link = String(validating: try reader.largeBytes(), as: UTF8.self) else {
                throw .invalid("link")
            }
            content = .invitation(link: link, info: reader.rest())
        case UInt8(ascii: "R"): content = .ratchetKey(try reader.value(), info: reader.rest())
        default: throw .invalid("agent envelope")
        }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.uint16(version)
        switch content {
        case .confirmation(let parameters, let encrypted):
            writer.character("C")
            writer.optional(parameters)
            writer.raw(encrypted)
        case .message(let encrypted):
            writer.character("M")
            writer.raw(encrypted)
        case .invitation(let link, let info):
            writer.character("I")
            writer.largeBytes(Bytes(link.utf8))
            writer.raw(info)
        case .ratchetKey(let parameters, let info):
            writer.character("R")
            writer.value(parameters)
            writer.raw(info)
        }
    }
}
