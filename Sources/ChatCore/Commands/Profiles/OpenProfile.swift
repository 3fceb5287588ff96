import ByteCoding
import JSONCoding

/// Finds the hidden profile that a name and a password open, for ``LocalCore/withOpened(_:_:)``. The list is empty if one
/// of the two is wrong, and does not tell which. (`/_open user ["NAME","PASSWORD"]`)
public struct OpenProfile: ChatCommand {
    public var name: String
    public var password: PlainPassword

    public init(name: String, password: String) {
        self.name = name
        self.password = PlainPassword(password)
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_open user", .nameAndPassword, make: { Self(name: $0[0], password: $0[1]) }))

    public func perform(on core: isolated LocalCore) async throws -> ProfileList {
        let profile = try core.store.profile(named: name)
        // SECURITY: where there is nothing to open it takes as long, or the time would tell that there is something.
        let stored = try profile.flatMap { try core.store.password(of: $0.id) } ?? ProfilePassword.ofNobody
        let isRight = try stored.accepts(password.text)
        guard isRight, let profile else { return ProfileList([]) }
        return ProfileList([profile])
    }
}

extension Argument where Command == OpenProfile, Value == [String] {
    /// A JSON array of two texts.
    fileprivate static var nameAndPassword: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                let parts = try JSONValue(decoding: Bytes(reader.rest().utf8)).array ?? []
                let texts = parts.compactMap(\.string)
                guard parts.count == 2, texts.count == 2 else { throw .invalid("password") }
                return texts
            }, write: { JSONValue.array([.string($0.name), .string($0.password.text)]).line })
    }
}
