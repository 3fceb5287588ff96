import ByteCoding

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
