public import ByteCoding
public import JSONCoding

/// A screen that is about one contact, and says nothing else.
public protocol ContactBound: Screen {
    /// The number of the contact.
    var contact: Int64 { get }
    init(contact: Int64)
}

extension ContactBound {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(contact: try fields.integer("contact"))
    }

    public var fields: JSONObject { ["contact": .integer(contact)] }
    public var subjects: [Subject] { [.contact(contact)] }
}

extension ContactBound {
    /// The word alone, behind the address of a screen of type `Parent`, which is about the same contact.
    static func read<Parent: ContactBound>(
        behind _: Parent.Type, inside parent: AnyScreen, from reader: inout AddressReader
    ) -> Self? {
        guard let parent = parent.value as? Parent, reader.skip(word) else { return nil }
        return Self(contact: parent.contact)
    }
}

/// A screen that is about one profile, says nothing else, and whose address is its word behind the profile's home.
public protocol ProfileBound: Screen {
    /// The number of the profile.
    var profile: Int64 { get }
    init(profile: Int64)
}

extension ProfileBound {
    public static var isSingleton: Bool { true }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.integer("profile"))
    }

    public var fields: JSONObject { ["profile": .integer(profile)] }
    public var subjects: [Subject] { [.profile(profile)] }

    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> Self? {
        guard let home = parent.value as? HomeScreen, reader.skip(word) else { return nil }
        return Self(profile: home.profile)
    }
}
