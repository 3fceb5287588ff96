public import ByteCoding
public import JSONCoding

/// A registered name: `#privacy`, `@alice.simplex` (network-7.md 11.1).
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
    private static let scheme = "simplex:/name"

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

    /// Creates the name of an object with the full text of a domain; nil for another text.
    public init?(_ kind: Kind, domain text: String) {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return nil }
        self.init(kind, Array(text.unicodeScalars)[...])
    }

    /// Reads what was given in the place of a link. Empty for a text that is no name.
    ///
    /// The sign may be missing behind `simplex:/name`, and before a domain of a registry other than the web, whose names look like
    /// those of hosts. Such a text names a channel, and a contact if there is no such channel.
    ///
    /// - Returns: The possible names, the preferred one first.
    public static func named(by target: String) -> [SimplexName] {
        let scalars = Array(target.unicodeScalars), schemeSize = SimplexName.scheme.utf8.count
        let start = String(String.UnicodeScalarView(scalars.prefix(schemeSize))).lowercased()
        let hasScheme = start == SimplexName.scheme, rest = scalars.dropFirst(hasScheme ? schemeSize : 0)
        switch rest.first {
        case "#": return [SimplexName(.publicGroup, rest.dropFirst())].compactMap(\.self)
        case "@": return [SimplexName(.contact, rest.dropFirst())].compactMap(\.self)
        default:
            guard let channel = SimplexName(.publicGroup, rest),
                hasScheme || (rest.contains(".") && channel.registry != .web)
            else { return [] }
            return [channel, SimplexName(.contact, rest)].compactMap(\.self)
        }
    }

    /// Returns true for letters and digits with single hyphens between them. Other letters may look like these.
    private static func isLabel(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard text.count <= longestLabel else { return false }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit } }
    }

    /// The full domain, by which the name is resolved and claimed: `alice.simplex`.
    public var fullDomain: String {
        let labels = subdomains.reversed() + [domain] + (registry == .web ? [] : [registry.rawValue])
        return labels.joined(separator: ".")
    }

    /// The name as users read and type it: `#privacy`, `@alice.simplex`.
    public var text: String {
        switch kind {
        case .publicGroup where registry == .simplex && subdomains.isEmpty: "#\(domain)"
        case .publicGroup: "#\(fullDomain)"
        case .contact: "@\(fullDomain)"
        }
    }

    /// `SimplexNameInfo` of the API.
    var json: JSONValue {
        .object(["nameType": .string(kind.rawValue), "nameDomain": .object(domainFields)])
    }

    /// `SimplexDomain` of the API.
    public var domainFields: JSONObject {
        [
            "nameTLD": .string(registry.rawValue), "domain": .string(domain),
            "subDomain": .array(subdomains.map { .string($0) }),
        ]
    }

    /// Reads a `SimplexDomain` of the API.
    ///
    /// - Throws: ``DecodeError``.
    public init(_ kind: Kind, domain fields: inout JSONFields) throws(DecodeError) {
        let registry = Registry(rawValue: try fields.text("nameTLD")), domain = try fields.text("domain")
        let names = try fields.elements("subDomain").compactMap(\.string).reversed() + [domain]
        guard let registry,
            let name = SimplexName(
                kind, domain: (names + (registry == .web ? [] : [registry.rawValue])).joined(separator: ".")),
            name.registry == registry
        else { throw .invalid("simplexDomain") }
        self = name
    }
}
