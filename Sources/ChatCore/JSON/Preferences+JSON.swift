import JSONCoding

extension Preferences {
    /// `Preferences` of the API: of what a profile holds, what the published types allow.
    ///
    /// SECURITY: a contact chooses what its profile holds. A client in a typed language would refuse the whole answer for one
    /// wrong word in it.
    static func published(_ preferences: JSONObject) -> JSONObject {
        var published = preferences
        for feature in Feature.allCases {
            guard let preference = preferences[feature.rawValue]?.object,
                let word = preference["allow"]?.string, Permission(rawValue: word) != nil
            else {
                published[feature.rawValue] = nil
                continue
            }
            if preference["ttl"] != nil, preference["ttl"]?.integer == nil {
                published[feature.rawValue] = .object(["allow": .string(word)])
            }
        }
        if let commands = preferences["commands"] {
            published["commands"] = commands.array.map { .array($0.compactMap { publishedCommand($0, depth: 0) }) }
        }
        return published
    }

    /// The most menus within menus.
    private static let deepest = 8

    /// `ChatBotCommand` of the API; nil for what is none.
    private static func publishedCommand(_ value: JSONValue, depth: Int) -> JSONValue? {
        guard depth < deepest, var fields = value.object, fields["label"]?.string != nil else { return nil }
        switch fields["type"]?.string {
        case "command":
            guard fields["keyword"]?.string != nil else { return nil }
            if fields["params"]?.string == nil { fields["params"] = nil }
        case "menu":
            guard let commands = fields["commands"]?.array else { return nil }
            fields["commands"] = .array(commands.compactMap { publishedCommand($0, depth: depth + 1) })
        default: return nil
        }
        return .object(fields)
    }
}
