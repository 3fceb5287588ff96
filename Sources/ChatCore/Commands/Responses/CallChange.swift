public import ByteCoding
public import JSONCoding

/// A call after this side accepted or ended it.
public struct CallChange: ChatResponse {
    public enum Kind: String, CaseIterable, Sendable {
        case accepted = "callAccepted"
        case ended = "callEnded"
    }

    public let kind: Kind
    public let profile: OwnProfile
    public let call: LocatedItem

    init(_ kind: Kind, _ profile: OwnProfile, _ call: LocatedItem) {
        self.kind = kind
        self.profile = profile
        self.call = call
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard let kind = Kind(rawValue: type) else { throw .invalid("type") }
        self.kind = kind
        profile = try fields.required("user")
        call = try fields.required("chatItem")
    }

    public var type: String { kind.rawValue }

    public var fields: JSONObject { ["user": profile.json, "chatItem": call.json] }
}
