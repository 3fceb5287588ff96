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
    /// The picture is not a PNG or JPEG data URI, or exceeds ``Profile/imageLimit``.
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
    /// - Throws: ``ProfileError``.
    public func checkForSending() throws(ProfileError) {
        _ = try DisplayName(displayName)
        // Other clients count Unicode scalars, not visible characters.
        guard (shortDescription ?? "").unicodeScalars.count <= Profile.descriptionLimit else {
            throw .shortDescription
        }
        if let image {
            guard image.utf8.count <= Profile.imageLimit, Profile.isImage(image) else { throw .image }
        }
    }

    /// The profile without a picture that exceeds ``imageLimit``, for received profiles.
    public var withBoundedImage: Profile {
        guard let image, image.utf8.count > Profile.imageLimit else { return self }
        var profile = self
        profile.image = nil
        return profile
    }

    /// Returns the profile for the members of a group: without preferences and unknown fields, and without the address
    /// unless the group allows links and `keepsLink` is true.
    public func forMembers(keepsLink: Bool = false) -> Profile {
        Profile(
            displayName: displayName, fullName: fullName, shortDescription: shortDescription, image: image,
            contactLink: keepsLink ? contactLink : nil, peerType: peerType)
    }

    /// Returns true if `text` is a picture for other clients: a data URI of two media types in Base64.
    public static func isImage(_ text: String) -> Bool {
        for prefix in ["data:image/png;base64,", "data:image/jpg;base64,"] where text.hasPrefix(prefix) {
            let encoded = String(text.dropFirst(prefix.count))
            return !encoded.isEmpty && (try? Base64.decode(encoded)) != nil
        }
        return false
    }
}
