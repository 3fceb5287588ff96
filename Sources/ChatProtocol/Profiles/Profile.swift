public import ByteCoding
public import JSONCoding

/// How somebody presents themselves to a contact. Nothing in a received profile is checked: names and links are whatever
/// the other side wrote.
public struct Profile: Hashable, Sendable {
    public var displayName: String
    public var fullName: String
    /// A few words about the owner.
    public var shortDescription: String?
    /// A picture, as a data URI.
    public var image: String?
    /// An address for contacts, as the text of a link.
    public var contactLink: String?
    /// What the owner allows contacts to do. Kept whole, because unknown preferences must survive.
    public var preferences: JSONValue?
    public var peerType: PeerType?
    /// What is not known here.
    public var otherFields: JSONObject

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

/// Who answers behind a profile. Later versions may have others than these.
public struct PeerType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let human = PeerType(rawValue: "human")
    public static let bot = PeerType(rawValue: "bot")
}

extension Profile: JSONObjectCodable {
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

/// What a profile of our own must not be, because others refuse or cut it.
public enum ProfileError: Error, Hashable, Sendable {
    /// The name is not one; ``Profile/DisplayName/suggestion(for:)`` may have a better one.
    case displayName
    /// The description is longer than ``Profile/descriptionLimit``.
    case shortDescription
    /// The picture is no PNG or JPEG data URI, or larger than ``Profile/imageLimit``.
    case image
}

extension Profile {
    /// The most characters of a description.
    public static let descriptionLimit = 160
    /// The most bytes of a picture, as a data URI: the largest that the official apps make, so that a profile fits one
    /// message with all else that is in it.
    public static let imageLimit = 12500

    /// Checks a profile that is about to be sent.
    public func checkForSending() throws(ProfileError) {
        _ = try DisplayName(displayName)
        // Other clients count Unicode scalars and not what people see as one character.
        guard (shortDescription ?? "").unicodeScalars.count <= Profile.descriptionLimit else {
            throw .shortDescription
        }
        if let image {
            guard image.utf8.count <= Profile.imageLimit, Profile.isImage(image) else { throw .image }
        }
    }

    /// The profile without a picture that is larger than ``imageLimit``, for one that somebody else presents.
    public var withBoundedImage: Profile {
        guard let image, image.utf8.count > Profile.imageLimit else { return self }
        var profile = self
        profile.image = nil
        return profile
    }

    /// Whether `text` is a data URI as other clients take it for a picture: of two media types, in Base64.
    public static func isImage(_ text: String) -> Bool {
        for prefix in ["data:image/png;base64,", "data:image/jpg;base64,"] where text.hasPrefix(prefix) {
            let encoded = String(text.dropFirst(prefix.count))
            return !encoded.isEmpty && (try? Base64.decode(encoded)) != nil
        }
        return false
    }
}
