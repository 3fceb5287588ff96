public import ByteCoding

/// A registered name of an address or a group: `@alice.simplex`, `#privacy`, `simplex:/name@alice.example.com`.
///
/// The supported versions of the protocol cannot resolve names. They are read so that a face can tell a name from a
/// damaged link.
public struct RegisteredName: Hashable, Sendable {
    /// The kind of the named object.
    public enum Kind: Hashable, Sendable {
        /// A contact.
        case contact
        /// A group; also a name without a sign.
        case group
    }

    /// The registry of a name.
    public enum Registry: String, Hashable, Sendable {
        /// The network's own registry, left out of the shortest form of groups.
        case simplex
        /// The registry for tests.
        case testing
        /// The domain name system: the name is a domain.
        case web
    }

    /// The kind of the named object.
    public let kind: Kind
    /// The registry.
    public let registry: Registry
    /// The name in the registry, or the whole domain.
    public let domain: String
    /// The names below the domain, from the parent to the child: `b`, `a` in `a.b.alice.simplex`. Empty for a web
    /// domain.
    public let subdomains: [String]

    /// Reads a name with or without the prefix `simplex:/name`. A contact's name must include its registry.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        _ = reader.skip("simplex:/name")
        let isContact = reader.skip("@")
        if !isContact { _ = reader.skip("#") }
        var labels: [String] = []
        for label in reader.rest().split(separator: ".", omittingEmptySubsequences: false) {
            guard RegisteredName.isLabel(label) else { throw .invalid("name") }
            labels.append(String(label))
        }
        if labels.count == 1 {
            guard !isContact else { throw .invalid("name") }
            labels.append(Registry.simplex.rawValue)
        }
        kind = isContact ? .contact : .group
        switch labels.last {
        case Registry.simplex.rawValue: registry = .simplex
        case Registry.testing.rawValue: registry = .testing
        default: registry = .web
        }
        guard registry != .web else {
            domain = labels.joined(separator: ".")
            subdomains = []
            return
        }
        domain = labels[labels.count - 2]
        subdomains = labels.dropLast(2).reversed()
    }

    /// Returns true for letters and digits with single hyphens between them. Latin letters outside of ASCII are
    /// rejected, because they look like others.
    private static func isLabel(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in !part.isEmpty && part.unicodeScalars.allSatisfy(isLetterOrDigit) }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        // After the last block of Latin letters.
        default: scalar.value >= 0x250 && scalar.properties.isAlphabetic
        }
    }
}

extension RegisteredName: CustomStringConvertible {
    /// The canonical text.
    public var description: String { "simplex:/name\(sign)\(fullName)" }

    /// The short form for users: `#privacy`, `@alice.simplex`.
    public var short: String {
        let isPlain = kind == .group && registry == .simplex && subdomains.isEmpty
        return "\(sign)\(isPlain ? domain : fullName)"
    }

    private var sign: String { kind == .contact ? "@" : "#" }

    private var fullName: String {
        let top = registry == .web ? [] : [registry.rawValue]
        return (subdomains.reversed() + [domain] + top).joined(separator: ".")
    }
}
