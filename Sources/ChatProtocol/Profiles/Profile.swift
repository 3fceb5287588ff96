public import ByteCoding
public import JSONCoding

/// The profile of a contact (chat.md 2.4). The values in a received profile are not checked: they are the text of the
/// other side.
public struct Profile: Hashable, Sendable {
    /// The name for display and commands.
    public var displayName: String
    /// The longer name; may be empty.
    public var fullName: String
    /// A short description of the owner.
    public var shortDescription: String?
    /// A picture, as a data URI.
    public var image: String?
    /// An address for contacts, as the text of a link.
    public var contactLink: String?
    /// The preferences for contacts, kept whole to preserve unknown ones.
    public var preferences: JSONValue?
    /// The kind of the owner; nil for a person.
    public var peerType: PeerType?
    /// The unknown fields, kept as received.
    public var otherFields: JSONObject

    /// Creates a profile from its parts.
    public init(
        displayName: String, fullName: String = "", shortDescription: String? = nil, image: String? = nil,
        contactLink: String? = nil, preferences: JSONValue? = nil, peerType: PeerType? = nil,
        otherFields: JSONObject = [:]
    ) {
        self.displayName = displayName
        self.fullName = fullName
        self.shortDescription = shortDescription
        self.image = image
        self.contactLink = contactLink
        self.preferences = preferences
        self.peerType = peerType
        self.otherFields = otherFields
    }
}

/// The kind of a profile's owner. Later versions may have others.
public struct PeerType: RawRepresentable, Hashable, Sendable {
    /// The name in messages.
    public let rawValue: String

    /// Creates a peer type from its parts.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A person.
    public static let human = PeerType(rawValue: "human")
    /// A program.
    public static let bot = PeerType(rawValue: "bot")
}

extension Profile: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        displayName = try fields.text("displayName")
        fullName = try fields.text("fullName")
        shortDescription = try fields.optionalText("shortDescr")
        image = try fields.optionalText("image")
        contactLink = try fields.optionalText("contactLink")
        preferences = fields.value("preferences")
        peerType = try fields.optionalText("peerType").map(PeerType.init(rawValue:))
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("displayName", displayName)
        fields.set("fullName", fullName)
        fields.set("shortDescr", shortDescription)
        fields.set("image", image)
        fields.set("contactLink", contactLink)
        fields["preferences"] = preferences
        fields.set("peerType", peerType?.rawValue)
        return fields
    }
}

/// The reason why an own profile is invalid: other clients reject or cut it.
public enum ProfileError: Error, Hashable, Sendable {
    /// The name is invalid; ``Profile/DisplayName/suggestion(for:)`` may return a valid one.
    case displayName
    /// The description is longer than ``Profile/descriptionLimit``.
    case shortDescription
    /// The picture exceeds ``Profile/imageLimit``.
    case image
}

extension Profile {
    /// The largest number of characters in a description.
    public static let descriptionLimit = 160
    /// The largest size of a picture as a data URI, in bytes: the largest of the official apps. A profile then fits
    /// into one message.
    public static let imageLimit = 12500

    /// Checks a profile before sending.
    ///
    /// - Parameter isNewName: False for a name that stays as it is: an earlier version may have allowed it.
    /// - Throws: ``ProfileError``.
    public func checkForSending(isNewName: Bool = true) throws(ProfileError) {
        if isNewName { _ = try DisplayName(displayName) }
        // Other clients count Unicode scalars, not visible characters.
        guard (shortDescription ?? "").unicodeScalars.count <= Profile.descriptionLimit else {
            throw .shortDescription
        }
        if let image {
            guard image.utf8.count <= Profile.imageLimit else { throw .image }
        }
    }

    /// The profile without a picture that exceeds ``imageLimit``, for received profiles.
    public var withBoundedImage: Profile {
        guard let image, image.utf8.count > Profile.imageLimit else { return self }
        var profile = self
        profile.image = nil
        return profile
    }

    /// Returns the profile for the members of a group (network-7.md 10.2).
    ///
    /// It has no preferences, and of the fields without a type here only those that are meant for members: the badge, the
    /// long description, and the claim of a name, without its proof.
    ///
    /// - Parameter keepsLink: True if the group allows its owner to send links and direct messages. Otherwise, the address
    ///   and the name are left out, and descriptions with links.
    public func forMembers(keepsLink: Bool = false) -> Profile {
        var profile = presentedByMember(keepsLink: keepsLink)
        let presented = profile.otherFields
        profile.otherFields = [:]
        for name in Profile.memberFields { profile.otherFields[name] = presented[name] }
        return profile
    }

    /// Returns the profile that a member presents, as it is kept and passed on: the unknown fields are those that the member
    /// chose for the group.
    ///
    /// - Parameter keepsLink: As in ``forMembers(keepsLink:)``.
    public func presentedByMember(keepsLink: Bool = false) -> Profile {
        var profile = self
        profile.preferences = nil
        if !keepsLink {
            profile.contactLink = nil
            profile.shortDescription = shortDescription.flatMap { Profile.hasLink($0) ? nil : $0 }
            if let text = longDescription, Profile.hasLink(text) {
                profile.otherFields[Profile.longDescriptionField] = nil
            }
        }
        var claim = keepsLink ? otherFields[Profile.domainClaimField]?.object : nil
        claim?["proof"] = nil
        profile.otherFields[Profile.domainClaimField] = claim.map(JSONValue.object)
        return profile
    }

    static let domainClaimField = "contactDomain"
    private static let memberFields = [longDescriptionField, domainClaimField, "badge"]

    /// Returns true if a text has a SimpleX link, or one with spaces in it.
    private static func hasLink(_ text: String) -> Bool {
        let joined = text.filter { !$0.isWhitespace }.lowercased()
        return linkMarks.contains { joined.utf8.contains(part: $0.utf8) }
    }

    /// The parts of links by which they are known: the scheme, and the paths of full and short links.
    private static let linkMarks = [
        "simplex:/", "/contact#", "/invitation#", "/a#", "/c#", "/g#", "/i#", "/r#",
    ]
}
