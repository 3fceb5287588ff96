public import ByteCoding
public import JSONCoding

/// A screen of a chat.
public protocol ChatBound: Screen {
    /// The chat.
    var chat: ChatSubject { get }

    /// Returns the same screen of another chat.
    func of(_ chat: ChatSubject) -> Self
}

/// A screen of one contact without further values.
public protocol ContactBound: Screen {
    /// The number of the contact.
    var contact: Int64 { get }
    /// Creates the screen of a contact.
    init(contact: Int64)
}

extension ContactBound {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(contact: try fields.integer("contact"))
    }

    /// The fields of the JSON form.
    public var fields: JSONObject { ["contact": .integer(contact)] }
    /// The contact.
    public var subjects: [Subject] { [.contact(contact)] }
}

extension ContactBound {
    /// Reads the word alone, after the address of the page of the same contact.
    static func read(behindContact parent: AnyScreen, from reader: inout AddressReader) -> Self? {
        guard let contact = (parent.value as? ContactScreen)?.chat.contact, reader.skip(word) else { return nil }
        return Self(contact: contact)
    }
}

/// A screen of one profile without further values, whose address is its word after the profile's home.
public protocol ProfileBound: Screen {
    /// The number of the profile.
    var profile: Int64 { get }
    /// Creates the screen of a profile.
    init(profile: Int64)
}

extension ProfileBound {
    /// True if a path has the screen once.
    public static var isSingleton: Bool { true }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.integer("profile"))
    }

    /// The fields of the JSON form.
    public var fields: JSONObject { ["profile": .integer(profile)] }
    /// The profile.
    public var subjects: [Subject] { [.profile(profile)] }

    /// Reads the word after the profile's home.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> Self? {
        guard let home = parent.value as? HomeScreen, reader.skip(word) else { return nil }
        return Self(profile: home.profile)
    }
}
