public import ByteCoding
import ChatProtocol
public import JSONCoding

/// The result of the last check of a name that a contact or a channel claims.
public struct NameCheck: Hashable, Sendable {
    /// The full domain.
    public let domain: String
    /// True if the name leads to the link of who claims it.
    public let isVerified: Bool

    public init(_ domain: String, isVerified: Bool = true) {
        self.domain = domain
        self.isVerified = isVerified
    }
}

extension NameCheck: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.text("domain"), isVerified: try fields.bool("verified"))
    }

    public var fields: JSONObject { ["domain": .string(domain), "verified": .bool(isVerified)] }

    /// Returns the result for a claim: nil if another name was checked, or none.
    static func verified(_ claim: DomainClaim?, _ check: NameCheck?) -> Bool? {
        guard let claim, let check, claim.domain == check.domain else { return nil }
        return check.isVerified
    }
}

extension Contact {
    /// True if the name that the contact claims was verified; nil if it was not checked.
    public var isNameVerified: Bool? { NameCheck.verified(profile.domainClaim, prepared?.name) }
}

extension Group {
    /// True if the name that the channel claims was verified; nil if it was not checked.
    public var isNameVerified: Bool? { NameCheck.verified(profile.publicGroup?.access?.claim, prepared?.name) }
}
