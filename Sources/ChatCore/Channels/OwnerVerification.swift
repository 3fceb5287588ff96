import AgentProtocol
public import ByteCoding
import ChatProtocol
import CryptoCore
public import JSONCoding

/// Whether the sender of a link owns it (network-7.md 9.12). The raw values are the reasons of the API.
public enum OwnerVerification: String, CaseIterable, Hashable, Sendable {
    case verified = ""
    case unknownOwner = "unknown owner"
    case failed = "signature verification failed"
}

extension OwnerVerification {
    /// Verifies the proof that came with a link.
    ///
    /// - Parameters:
    ///   - rootKey: The root key of the link.
    ///   - owners: The other owners, which the record behind the link names.
    init(_ proof: LinkOwnerSignature, of link: ShortLink, rootKey: Ed25519.PublicKey, owners: [LinkOwner]) {
        let key = proof.ownerID.map { id in owners.first { $0.id == id }?.key } ?? rootKey
        guard let key else {
            self = .unknownOwner
            return
        }
        let signed = proof.binding + link.restored(from: PresetServers.all).encoded
        self = key.verify(proof.signature, of: signed) ? .verified : .failed
    }
}

extension OwnerVerification: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let reason = try fields.text("type") == "verified" ? "" : try fields.text("reason")
        guard let verification = OwnerVerification(rawValue: reason) else { throw .invalid("reason") }
        self = verification
    }

    /// `OwnerVerification` of the API.
    public var fields: JSONObject {
        self == .verified ? ["type": "verified"] : ["type": "failed", "reason": .string(rawValue)]
    }
}

extension OpenedLink {
    /// Verifies the proof that came with a link, with the keys behind it.
    func verification(of proof: LinkOwnerSignature, for link: ShortLink) -> OwnerVerification {
        var owners: [LinkOwner] = []
        if case .address(_, let record) = user { owners = record.owners }
        return OwnerVerification(proof, of: link, rootKey: fixed.rootKey, owners: owners)
    }
}
