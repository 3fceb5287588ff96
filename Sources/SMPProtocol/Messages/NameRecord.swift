public import ByteCoding
public import JSONCoding

/// The record of a registered name, as its resolver returns it (SMP v20).
///
/// SECURITY: the resolver and the relay may lie. A client verifies the links before it uses them.
public struct NameRecord: Hashable, Sendable {
    /// The full domain.
    public let name: String
    /// The name for display; empty if not set.
    public let nickname: String
    /// The web site; empty if not set.
    public let website: String
    /// The place; empty if not set.
    public let location: String
    /// The links of the contact address, the first one being preferred.
    public let contactLinks: [String]
    /// The links of the channel, the first one being preferred.
    public let channelLinks: [String]
    /// The addresses for payments in the currencies `eth`, `btc`, `xmr` and `dot`, by their names.
    public let coins: [String: String]
    /// The Ethereum address of the owner; empty if not set.
    public let owner: String
    /// The Ethereum address of the contract that has the record; empty if not set.
    public let resolver: String

    private static let currencies: [StaticText] = ["eth", "btc", "xmr", "dot"]

    /// Creates a record from its parts.
    public init(
        name: String, nickname: String = "", website: String = "", location: String = "",
        contactLinks: [String] = [], channelLinks: [String] = [], coins: [String: String] = [:], owner: String = "",
        resolver: String = ""
    ) {
        self.name = name
        self.nickname = nickname
        self.website = website
        self.location = location
        self.contactLinks = contactLinks
        self.channelLinks = channelLinks
        self.coins = coins
        self.owner = owner
        self.resolver = resolver
    }

    /// Reads the JSON object. All texts and lists are required; a currency may be null or absent.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var fields = try JSONFields(decoding: bytes)
        name = try fields.text("name")
        nickname = try fields.text("nickname")
        website = try fields.text("website")
        location = try fields.text("location")
        contactLinks = try NameRecord.links("simplexContact", &fields)
        channelLinks = try NameRecord.links("simplexChannel", &fields)
        var coins: [String: String] = [:]
        for currency in NameRecord.currencies { coins[currency.description] = try fields.optionalText(currency) }
        self.coins = coins
        owner = try fields.text("owner")
        resolver = try fields.text("resolver")
    }

    /// Reads the JSON object of a resolver, in which all but the links that there are may be missing.
    ///
    /// - Parameter name: The full domain that was asked for.
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes, of name: String) throws(DecodeError) {
        var fields = try JSONFields(decoding: bytes)
        var coins: [String: String] = [:]
        for currency in NameRecord.currencies { coins[currency.description] = try fields.optionalText(currency) }
        self.init(
            name: name, nickname: try fields.optionalText("nickname") ?? "",
            website: try fields.optionalText("website") ?? "", location: try fields.optionalText("location") ?? "",
            contactLinks: try NameRecord.texts(try fields.elements("simplexContact"), "simplexContact"),
            channelLinks: try NameRecord.texts(try fields.elements("simplexChannel"), "simplexChannel"), coins: coins,
            owner: try fields.optionalText("owner") ?? "", resolver: try fields.optionalText("resolver") ?? "")
    }

    private static func links(_ name: StaticText, _ fields: inout JSONFields) throws(DecodeError) -> [String] {
        guard let list = fields.value(name)?.array else { throw .invalid(name) }
        return try texts(list, name)
    }

    private static func texts(_ list: [JSONValue], _ name: StaticText) throws(DecodeError) -> [String] {
        try list.map { element throws(DecodeError) in
            guard let text = element.string else { throw .invalid(name) }
            return text
        }
    }

    /// The size of the JSON object in bytes.
    public var encodedSize: Int { json.encoded.count }

    /// The JSON object with all fields.
    public var json: JSONObject {
        var fields = JSONObject()
        fields.set("name", name)
        fields.set("nickname", nickname)
        fields.set("website", website)
        fields.set("location", location)
        fields.set("simplexContact", contactLinks)
        fields.set("simplexChannel", channelLinks)
        for currency in NameRecord.currencies.map(\.description) {
            fields[currency] = coins[currency].map { .string($0) } ?? .null
        }
        fields.set("owner", owner)
        fields.set("resolver", resolver)
        return fields
    }
}
