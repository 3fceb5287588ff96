public import ByteCoding
import JSONCoding

/// A badge in a profile, as its owner discloses it (network-7.md 10.3). Its proof is not checked here, so anybody may have
/// written it.
public struct SupporterBadge: Hashable, Sendable {
    /// The kind, such as `supporter`.
    public let kind: String
    /// The time after which it no longer counts; nil for no end.
    public let expiresAt: Timestamp?
    /// What the issuer added; empty for most badges.
    public let extra: String

    /// The kinds that 7.0 knows.
    public static let knownKinds = ["supporter", "legend", "investor"]
}

extension Profile {
    /// The badge; nil for none, or for one that cannot be read.
    public var badge: SupporterBadge? {
        guard let info = otherFields["badge"]?.object?["badgeInfo"]?.object, let kind = info["badgeType"]?.string
        else { return nil }
        var expiry: Timestamp?
        if let value = info["badgeExpiry"], value != .null {
            guard let time = value.string.flatMap({ try? Timestamp(text: $0) }) else { return nil }
            expiry = time
        }
        return SupporterBadge(kind: kind, expiresAt: expiry, extra: info["badgeExtra"]?.string ?? "")
    }

    /// The long description, which 7.0 has for businesses and bots.
    public var longDescription: String? { otherFields[Profile.longDescriptionField]?.string }

    static let longDescriptionField = "description"
}
