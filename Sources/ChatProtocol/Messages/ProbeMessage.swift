public import ByteCoding
import JSONCoding

/// A message by which contacts find out that they are members of the same group (`x.info.probe*`, chat.md 2.4).
///
/// A side sends a probe to one connection and its hash to others with the same profile. Who has both through two connections
/// knows that one person is at both, and proves it with the probe.
public enum ProbeMessage: Hashable, Sendable {
    /// The probe, 44 bytes in the official clients (`x.info.probe`).
    case probe(Bytes)
    /// The SHA-256 hash of a probe, 32 bytes (`x.info.probe.check`). One of another size is that of no probe.
    case check(hash: Bytes)
    /// The probe of a hash, sent back (`x.info.probe.ok`).
    case confirmation(Bytes)

    /// The number of random bytes in a new probe before they are encoded.
    public static let randomSize = 32
    /// The largest probe or hash that is accepted, in bytes.
    public static let largest = 64

    /// Returns the probe of ``randomSize`` random bytes: their Base64 form, as in the official clients.
    public static func newProbe(random: Bytes) -> Bytes { Bytes(Base64.encode(random).utf8) }

    enum Name: String, CaseIterable {
        case probe = "x.info.probe"
        case check = "x.info.probe.check"
        case confirmation = "x.info.probe.ok"
    }

    var name: Name {
        switch self {
        case .probe: .probe
        case .check: .check
        case .confirmation: .confirmation
        }
    }

    /// Takes the parameter of an event.
    ///
    /// - Throws: ``DecodeError`` if it is missing or of a wrong size.
    init(_ name: Name, from fields: inout JSONFields) throws(DecodeError) {
        switch name {
        case .probe: self = .probe(try fields.probe("probe"))
        case .confirmation: self = .confirmation(try fields.probe("probe"))
        case .check: self = .check(hash: try fields.probe("probeHash"))
        }
    }

    var parameters: JSONObject {
        switch self {
        case .probe(let probe), .confirmation(let probe): ["probe": .string(Base64URL.encode(probe))]
        case .check(let hash): ["probeHash": .string(Base64URL.encode(hash))]
        }
    }
}

extension JSONFields {
    /// A probe or its hash.
    fileprivate mutating func probe(_ name: StaticText) throws(DecodeError) -> Bytes {
        guard let probe = try optionalBytes(name), !probe.isEmpty, probe.count <= ProbeMessage.largest else {
            throw .invalid(name)
        }
        return probe
    }
}
