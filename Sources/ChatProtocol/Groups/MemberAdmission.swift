public import ByteCoding
public import JSONCoding

/// The rules for admitting members (chat.md 2.5).
public struct MemberAdmission: Hashable, Sendable {
    /// The members to which a rule applies. Later versions may have other criteria.
    public struct Criteria: RawRepresentable, Hashable, Sendable {
        /// The name in messages.
        public let rawValue: String

        /// Creates criteria from their name in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// All new members.
        public static let all = Criteria(rawValue: "all")
    }

    /// The members that moderators must accept; nil for none.
    public var review: Criteria?
    /// The unknown fields, kept as received.
    public var otherFields: JSONObject

    /// Creates a member admission from its parts.
    public init(review: Criteria? = nil, otherFields: JSONObject = [:]) {
        self.review = review
        self.otherFields = otherFields
    }

    /// True if moderators must accept new members. Unknown criteria count as ``Criteria/all``: a review too many does
    /// no harm.
    public var requiresReview: Bool { review != nil }
}

extension MemberAdmission: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        review = try fields.optionalText("review").map(Criteria.init(rawValue:))
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("review", review?.rawValue)
        return fields
    }
}
