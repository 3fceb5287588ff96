public import ByteCoding
public import JSONCoding

/// The claim of a name in a profile (network-7.md 11.2).
///
/// SECURITY: anybody can claim any name. A name is verified if it also leads to the link of who claims it.
public struct DomainClaim: Hashable, Sendable {
    /// The full domain, in lower case.
    public let domain: String
    /// The signature of the owner of the link; nil in most claims.
    public let proof: DomainProof?

    /// Creates a claim from its parts.
    public init(_ domain: String, proof: DomainProof? = nil) {
        self.domain = domain
        self.proof = proof
    }
}

extension DomainClaim: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        domain = try fields.text("domain").lowercased()
        proof = try? fields.optional("proof")
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields: JSONObject = ["domain": .string(domain)]
        fields.set("proof", proof)
        return fields
    }
}

/// The signature of a claim with the key of the link that the name leads to.
public struct DomainProof: Hashable, Sendable {
    /// The id of the owner in the record of the link; nil for the root key.
    public let ownerID: Bytes?
    /// A letter and a nonce.
    public let header: String
    /// The Ed25519 signature of ``signedText(_:link:)``.
    public let signature: Bytes

    /// Creates a proof from its parts.
    public init(ownerID: Bytes?, header: String, signature: Bytes) {
        self.ownerID = ownerID
        self.header = header
        self.signature = signature
    }

    /// Returns the signed text.
    ///
    /// - Parameters:
    ///   - domain: The full domain.
    ///   - link: The letter of the link in upper case, its relay and its key, with single spaces.
    public func signedText(_ domain: String, link: String) -> Bytes {
        Bytes("simplex_domain_v1 \(header) \(domain) \(link)".utf8)
    }
}

extension DomainProof: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        ownerID = try fields.optionalBytes("linkOwnerId")
        header = try fields.text("presHeader")
        signature = try fields.requiredBytes("signature")
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields: JSONObject = ["presHeader": .string(header)]
        fields.set("linkOwnerId", ownerID.map { Base64URL.encode($0) })
        fields.set("signature", Base64URL.encode(signature))
        return fields
    }
}

extension Profile {
    /// The name that the owner of the profile claims.
    public var domainClaim: DomainClaim? {
        get { otherFields[Profile.domainClaimField].flatMap(DomainClaim.init(value:)) }
        set { otherFields[Profile.domainClaimField] = newValue?.json }
    }
}

extension PublicGroupAccess {
    /// The name that the channel claims.
    public var claim: DomainClaim? { domainClaim.flatMap(DomainClaim.init(value:)) }
}

extension DomainClaim {
    /// Reads a field of a profile; nil if it is no claim.
    fileprivate init?(value: JSONValue) {
        guard var fields = value.object.map({ JSONFields($0) }), let claim = try? DomainClaim(from: &fields) else {
            return nil
        }
        self = claim
    }
}
