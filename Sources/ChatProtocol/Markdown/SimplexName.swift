import JSONCoding

/// A registered name in a text: `#privacy`, `@alice.simplex` (network-7.md 11.1).
public struct SimplexName: Hashable, Sendable {
    /// The named object. The raw values are those of the API.
    public enum Kind: String, Sendable {
        case publicGroup, contact
    }

    /// The registry of a name. The raw values are those of the API.
    public enum Registry: String, Sendable {
        case simplex, testing
        /// The domain name system.
        case web
    }

    /// The named object.
    public let kind: Kind
    /// The registry.
    public let registry: Registry
    /// The name in the registry, or the whole domain; in lower case.
    public let domain: String
    /// The names below the domain, from the parent to the child. Empty for a web domain.
    public let subdomains: [String]

    private static let longestLabel = 63
    private static let longest = 253

    /// Reads the text after the sign of a name; nil for another text. A contact needs a registry, and a name without one is a
    /// group of the registry `simplex`.
    init?(_ kind: Kind, _ text: ArraySlice<Unicode.Scalar>) {
        guard text.count <= SimplexName.longest else { return nil }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(SimplexName.isLabel) else { return nil }
        var names = labels.map { String($0).lowercased() }
        if names.count == 1 {
            guard kind == .publicGroup else { return nil }
            names.append(Registry.simplex.rawValue)
        }
        self.kind = kind
        registry = names.last.flatMap(Registry.init(rawValue:)) ?? .web
        if registry == .web {
            domain = names.joined(separator: ".")
            subdomains = []
        } else {
            names.removeLast()
            domain = names.removeLast()
            subdomains = names.reversed()
        }
    }

    /// Returns true for letters and digits with single hyphens between them. Other letters may look like these.
    private static func isLabel(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard text.count <= longestLabel else { return false }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit } }
    }

    /// `SimplexNameInfo` of the API.
    var json: JSONValue {
        .object([
            "nameType": .string(kind.rawValue),
            "nameDomain": .object([
                "nameTLD": .string(registry.rawValue), "domain": .string(domain),
                "subDomain": .array(subdomains.map { .string($0) }),
            ]),
        ])
    }
}
