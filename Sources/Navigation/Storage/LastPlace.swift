public import ByteCoding
import JSONCoding

/// The last path of a session, stored on every change.
///
/// `{"v":1,"screens":[{"screen":"home","profile":1},{"screen":"chat","contact":4}],"position":17}`: the screens above
/// the hub. Notes are `"notes":4`; earlier versions stored them as `"contact":4`, see ``Restoration``. Screens of later
/// versions with unknown types are skipped.
public struct LastPlace: Hashable, Sendable {
    /// The version that is written.
    public static let version: Int64 = 1

    /// The stored screens; nil for an unknown one.
    public let screens: [AnyScreen?]
    /// The scroll position: the number of the visible chat item. The renderer of the top interprets it.
    public let position: Int64?

    /// Creates the place of a path.
    public init(_ path: NavigationPath, position: Int64? = nil) {
        screens = path.screens.dropFirst().map { $0 }
        self.position = position
    }

    /// Reads the stored text.
    ///
    /// - Throws: ``DecodeError`` if it is not the text of a place.
    public init(decoding text: String) throws(DecodeError) {
        var fields = try JSONFields(decoding: Bytes(text.utf8))
        guard try fields.integer("v") >= LastPlace.version else { throw .invalid("version") }
        guard let stored = fields.value("screens")?.array else { throw .invalid("screens") }
        screens = stored.prefix(NavigationPath.maximumCount).map { LastPlace.screen($0) }
        position = (try? fields.optionalInteger("position")) ?? nil
    }

    /// The text to store.
    public var encoded: String {
        var fields: JSONObject = ["v": .integer(LastPlace.version)]
        fields["screens"] = .array(
            screens.compactMap { $0 }.map { screen in
                .object(JSONObject(dictionaryLiteral: ("screen", .string(screen.name))).merging(screen.value.fields))
            })
        fields.set("position", position)
        return fields.line
    }

    private static func screen(_ value: JSONValue) -> AnyScreen? {
        guard let object = value.object else { return nil }
        var fields = JSONFields(object)
        guard let name = try? fields.text("screen") else { return nil }
        return ScreenCatalogue.all.first { $0.name == name }.flatMap { screen($0, fields) }
    }

    private static func screen<Value: Screen>(_ type: Value.Type, _ fields: JSONFields) -> AnyScreen? {
        var fields = fields
        return (try? Value(from: &fields)).map { AnyScreen($0) }
    }
}
