public import AgentProtocol
public import ByteCoding

/// An event for the application, stored until the application has stored its consequences.
public struct AgentEvent: Hashable, Sendable {
    /// The id, increasing from event to event.
    public let id: Int64
    /// The connection.
    public let connectionID: ConnectionID
    /// The profile of the connection.
    public let profileID: ProfileID
    /// The content.
    public let content: Content

    /// The content of an event, named after the event of the reference implementation.
    public enum Content: Hashable, Sendable {
        /// An event of the connection.
        case connection(ConnectionEvent)
        /// A relay accepted the message with this token.
        case sent(token: Bytes)
        /// The other side received messages.
        case rcvd([DeliveryReceipt])
        /// A message was not sent and will not be.
        case merr(token: Bytes, DeliveryProblem)
        /// The connection could not be made or is lost. This event is the last one.
        case err(ConnectionProblem)
        /// A received message could not be read.
        case unreadable(ReadingProblem)
        /// The relay has a record with relays behind the short link of an address.
        case link(AddressRecord)
    }

    /// Creates an agent event from its parts.
    public init(id: Int64, connectionID: ConnectionID, profileID: ProfileID, content: Content) {
        self.id = id
        self.connectionID = connectionID
        self.profileID = profileID
        self.content = content
    }
}

/// The receipt of a message by the other side.
public struct DeliveryReceipt: Hashable, Sendable {
    /// The token of the message.
    public let token: Bytes
    /// True if the received message equals the sent one.
    public let isIntact: Bool

    /// Creates a delivery receipt from its parts.
    public init(token: Bytes, isIntact: Bool) {
        self.token = token
        self.isIntact = isIntact
    }
}

/// The database form of an event: a letter for the case, then its values. Cases are added and never changed, because
/// events remain while the program is upgraded. A lower-case letter is the same case with the post-quantum KEM.
extension AgentEvent.Content: ByteCodable {
    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let letter = try reader.uint8()
        switch letter {
        case UInt8(ascii: "C"), UInt8(ascii: "c"):
            let information = try reader.largeBytes()
            self = .connection(.conf(information: information, supportsPostQuantum: letter == UInt8(ascii: "c")))
        case UInt8(ascii: "A"):
            let link = String(decoding: try reader.largeBytes(), as: UTF8.self)
            self = .connection(.req(try ConnectionRequest(text: link), information: try reader.largeBytes()))
        case UInt8(ascii: "J"): self = .connection(.joined)
        case UInt8(ascii: "I"), UInt8(ascii: "i"):
            let information = try reader.largeBytes()
            self = .connection(.info(information, supportsPostQuantum: letter == UInt8(ascii: "i")))
        case UInt8(ascii: "N"): self = .connection(.con(isPostQuantum: false))
        case UInt8(ascii: "n"): self = .connection(.con(isPostQuantum: true))
        case UInt8(ascii: "M"), UInt8(ascii: "m"):
            let isPostQuantum = letter == UInt8(ascii: "m")
            self = .connection(.msg(try ReceivedMessage(from: &reader, isPostQuantum: isPostQuantum)))
        case UInt8(ascii: "V"): self = .connection(.rcvd(try reader.nonEmptyList()))
        case UInt8(ascii: "W"):
            let direction: QueueDirection = try reader.code()
            self = .connection(.switching(direction, try reader.code()))
        case UInt8(ascii: "Y"):
            guard let state = RatchetSynchronization(rawValue: Int64(try reader.uint8())) else {
                throw .invalid("synchronization")
            }
            self = .connection(.rsync(state))
        case UInt8(ascii: "R"): self = .rcvd(try reader.nonEmptyList())
        case UInt8(ascii: "Q"): self = .connection(.qcont)
        case UInt8(ascii: "S"): self = .sent(token: try reader.shortBytes())
        case UInt8(ascii: "F"):
            let token = try reader.shortBytes()
            self = .merr(token: token, try reader.code())
        case UInt8(ascii: "E"): self = .err(try reader.code())
        case UInt8(ascii: "U"): self = .unreadable(try reader.code())
        case UInt8(ascii: "L"): self = .link(try reader.value())
        default: throw .invalid("event")
        }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .connection(.conf(let information, let supportsPostQuantum)):
            writer.character(supportsPostQuantum ? "c" : "C")
            writer.largeBytes(information)
        case .connection(.info(let information, let supportsPostQuantum)):
            writer.character(supportsPostQuantum ? "i" : "I")
            writer.largeBytes(information)
        case .connection(.req(let request, let information)):
            writer.character("A")
            writer.largeBytes(Bytes(request.description.utf8))
            writer.largeBytes(information)
        case .connection(.joined): writer.character("J")
        case .connection(.con(let isPostQuantum)): writer.character(isPostQuantum ? "n" : "N")
        case .connection(.msg(let message)):
            writer.character(message.isPostQuantum ? "m" : "M")
            message.encode(into: &writer)
        case .connection(.rcvd(let receipts)):
            writer.character("V")
            writer.list(receipts)
        case .connection(.switching(let direction, let phase)):
            writer.character("W")
            writer.uint8(direction.rawValue)
            writer.uint8(phase.rawValue)
        case .connection(.rsync(let state)):
            writer.character("Y")
            writer.uint8(UInt8(truncatingIfNeeded: state.rawValue))
        case .connection(.qcont): writer.character("Q")
        case .rcvd(let receipts):
            writer.character("R")
            writer.list(receipts)
        case .sent(let token):
            writer.character("S")
            writer.shortBytes(token)
        case .merr(let token, let problem):
            writer.character("F")
            writer.shortBytes(token)
            writer.uint8(problem.rawValue)
        case .err(let problem):
            writer.character("E")
            writer.uint8(problem.rawValue)
        case .unreadable(let problem):
            writer.character("U")
            writer.uint8(problem.rawValue)
        case .link(let record):
            writer.character("L")
            writer.value(record)
        }
    }
}

extension DeliveryReceipt: ByteCodable {
    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let token = try reader.shortBytes()
        self.init(token: token, isIntact: try reader.bool())
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(token)
        writer.bool(isIntact)
    }
}

extension ReceivedMessage {
    fileprivate init(from reader: inout ByteReader, isPostQuantum: Bool) throws(DecodeError) {
        let number = try reader.int64()
        let hash = try reader.shortBytes()
        // Earlier versions stored any time of a relay.
        let time = Timestamp(milliseconds: try reader.int64()).clamped
        let integrity = try MessageIntegrity(from: &reader)
        self.init(
            number: number, hash: hash, relayTime: time, integrity: integrity, isPostQuantum: isPostQuantum,
            body: try reader.largeBytes())
    }

    fileprivate func encode(into writer: inout ByteWriter) {
        writer.int64(number)
        writer.shortBytes(hash)
        writer.int64(relayTime.milliseconds)
        integrity.encode(into: &writer)
        writer.largeBytes(body)
    }
}

extension MessageIntegrity {
    fileprivate init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "O"): self = .ok
        case UInt8(ascii: "S"):
            let first = try reader.int64()
            self = .skipped(from: first, to: try reader.int64())
        case UInt8(ascii: "N"): self = .badNumber(last: try reader.int64())
        case UInt8(ascii: "H"): self = .badHash
        case UInt8(ascii: "D"): self = .duplicate
        default: throw .invalid("integrity")
        }
    }

    fileprivate func encode(into writer: inout ByteWriter) {
        switch self {
        case .ok: writer.character("O")
        case .skipped(let first, let last):
            writer.character("S")
            writer.int64(first)
            writer.int64(last)
        case .badNumber(let last):
            writer.character("N")
            writer.int64(last)
        case .badHash: writer.character("H")
        case .duplicate: writer.character("D")
        }
    }
}

extension ByteReader {
    /// Reads a one-byte code of a closed list.
    fileprivate mutating func code<Code: RawRepresentable<UInt8>>() throws(DecodeError) -> Code {
        guard let code = Code(rawValue: try uint8()) else { throw .invalid("code") }
        return code
    }
}
