public import ByteCoding
public import JSONCoding

/// The profile of a group (chat.md 2.5). As in a ``Profile``, the values in a received one are not checked.
public struct GroupProfile: Hashable, Sendable {
    /// The name for display and commands.
    public var displayName: String
    /// The longer name; may be empty.
    public var fullName: String
    /// A short description of the group.
    public var shortDescription: String?
    /// The welcome message for new members.
    public var welcome: String?
    /// A picture, as a data URI.
    public var image: String?
    /// The public part, of channels only.
    public var publicGroup: PublicGroup?
    /// The permissions of members.
    public var preferences: GroupPreferences?
    /// The rules for admitting members.
    public var admission: MemberAdmission?
    /// The unknown fields, kept as received.
    public var otherFields: JSONObject

    /// Creates a group profile from its parts.
    public init(
        displayName: String, fullName: String = "", shortDescription: String? = nil, welcome: String? = nil,
        image: String? = nil, publicGroup: PublicGroup? = nil, preferences: GroupPreferences? = nil,
        admission: MemberAdmission? = nil, otherFields: JSONObject = [:]
    ) {
        self.displayName = displayName
        self.fullName = fullName
        self.shortDescription = shortDescription
        self.welcome = welcome
        self.image = image
        self.publicGroup = publicGroup
        self.preferences = preferences
        self.admission = admission
        self.otherFields = otherFields
    }
}

extension GroupProfile: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        displayName = try fields.text("displayName")
        fullName = try fields.text("fullName")
        shortDescription = try fields.optionalText("shortDescr")
        welcome = try fields.optionalText("description")
        image = try fields.optionalText("image")
        publicGroup = try fields.optional("publicGroup")
        preferences = try fields.optional("groupPreferences")
        admission = try fields.optional("memberAdmission")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("displayName", displayName)
        fields.set("fullName", fullName)
        fields.set("shortDescr", shortDescription)
        fields.set("description", welcome)
        fields.set("image", image)
        fields.set("publicGroup", publicGroup)
        fields.set("groupPreferences", preferences)
        fields.set("memberAdmission", admission)
        return fields
    }
}

extension GroupProfile {
    /// Returns true if a member with a role may use a feature.
    public func allows(_ feature: GroupPreferences.Feature, _ role: GroupRole) -> Bool {
        (preferences ?? GroupPreferences()).allows(feature, role)
    }

    /// True if moderators must accept members that join through a link.
    public var requiresReview: Bool { admission?.requiresReview ?? false }

    /// Checks a profile before sending, by the rules of a ``Profile``.
    ///
    /// - Throws: ``ProfileError``.
    public func checkForSending(isNewName: Bool = true) throws(ProfileError) {
        try Profile(displayName: displayName, shortDescription: shortDescription, image: image)
            .checkForSending(isNewName: isNewName)
    }

    /// The profile without a picture that exceeds ``Profile/imageLimit``, for received profiles.
    public var withBoundedImage: GroupProfile {
        guard let image, image.utf8.count > Profile.imageLimit else { return self }
        var profile = self
        profile.image = nil
        return profile
    }
}
