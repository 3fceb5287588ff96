public import ByteCoding

/// A name that stands for an address or a group: `@alice.simplex`, `#privacy`, `simplex:/name@alice.example.com`.
///
/// No command of this protocol's versions finds what a name stands for. It is read so that a face can tell a name from a
/// damaged link.
public struct RegisteredName: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case contact
        /// Also of a name without a sign.
        case group
    }

    /// Who registers the names.
    public enum Registry: String, Hashable, Sendable {
        /// The network's own; left out of the shortest spelling of groups.
        case simplex
        case testing
        /// The domain name system: the name is a domain.
        case web
    }

    public let kind: Kind
    public let registry: Registry
    /// The name in the registry, or the whole domain.
    public let domain: String
    /// Names below it, from the parent to the child: `b`, `a` in `a.b.alice.simplex`. None of a web domain.
    public let subdomains: [String]

    /// Reads a name with or without `simplex:/name` in front. A contact's name has to tell its registry.
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

    /// Letters and digits, with single hyphens between them. Latin letters outside of ASCII are refused, which look like
    /// others.
    private static func isLabel(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in !part.isEmpty && part.unicodeScalars.allSatisfy(isLetterOrDigit) }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        // Behind the last block of Latin letters.
        default: scalar.value >= 0x250 && scalar.properties.isAlphabetic
        }
    }
}

extension RegisteredName: CustomStringConvertible {
    /// The canonical text.
    public var description: String { "simplex:/name\(sign)\(fullName)" }

    /// As people write it: `#privacy`, `@alice.simplex`.
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
