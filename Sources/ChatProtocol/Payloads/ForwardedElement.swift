public import ByteCoding
import JSONCoding

/// An element that a member or a relay passes on for another (`>`, network-7.md 7.1 and 7.4).
public struct ForwardedElement: Hashable, Sendable {
    /// The author; nil for the posts of channels.
    public let memberID: MemberID?
    /// The display name of the author, for members who do not know it; nil for the posts of channels.
    public let memberName: String?
    /// The time of the original at the relay of the forwarding member, in whole seconds.
    public let time: Timestamp
    /// The bytes of the original element.
    public let original: Bytes

    /// Creates a forwarded element from its parts.
    ///
    /// The name is written only together with an id.
    public init(_ original: Bytes, of memberID: MemberID?, named name: String? = nil, at time: Timestamp) {
        self.memberID = memberID
        memberName = memberID == nil ? nil : name ?? ""
        self.time = Timestamp(seconds: time.seconds)
        self.original = original
    }
}

extension ForwardedElement: ByteCodable {
    private enum Sender: UInt8 {
        case member = 0x4d
        case channel = 0x43
    }

    static let letter = UInt8(ascii: ">")

    /// Reads the element to its end. The original is not read, except that it must not be forwarded itself: a member
    /// could otherwise hide behind another one.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        guard try reader.uint8() == ForwardedElement.letter else { throw .invalid("forwarded element") }
        switch Sender(rawValue: try reader.uint8()) {
        case .member:
            guard let id = MemberID(try reader.shortBytes()) else { throw .invalid("memberId") }
            memberID = id
            memberName = String(decoding: try reader.shortBytes(), as: UTF8.self)
        case .channel:
            memberID = nil
            memberName = nil
        case nil: throw .invalid("sender")
        }
        let seconds = try reader.int64(), time = Timestamp(seconds: seconds)
        guard Timestamp.range.contains(time) else { throw .invalid("time") }
        self.time = time
        original = reader.rest()
        guard original.first != ForwardedElement.letter else { throw .invalid("forwarded element") }
    }

    /// Writes the element.
    public func encode(into writer: inout ByteWriter) {
        writer.uint8(ForwardedElement.letter)
        if let memberID {
            writer.uint8(Sender.member.rawValue)
            writer.shortBytes(memberID.bytes)
            writer.shortBytes(ForwardedElement.shortName(memberName ?? ""))
        } else {
            writer.uint8(Sender.channel.rawValue)
        }
        writer.int64(time.seconds)
        writer.raw(original)
    }

    /// The bytes of a name with whole characters that fit after one length byte.
    private static func shortName(_ name: String) -> Bytes {
        var bytes: Bytes = []
        for character in name.unicodeScalars {
            let next = Bytes(String(character).utf8)
            guard bytes.count + next.count <= 255 else { break }
            bytes += next
        }
        return bytes
    }
}
