import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

/// Fields without a type here survive reading, a change of what has one, and writing.
@Suite struct UnknownFieldTests {
    private static let seeds = Array(1...60) as [UInt64]

    /// Fields of 7.0 and 7.1 in profiles, group profiles, preferences and link data.
    private static let names = [
        "badge", "contactDomain", "support", "comments", "signMessages", "businessDomain", "localBadge",
        "publicGroupData", "fileExpires",
    ]

    /// Reads `known` with random fields beside, changes it, and expects the other fields as they were.
    private func check<Value: JSONObjectCodable>(
        _ known: JSONObject, _ seed: UInt64, _ type: Value.Type = Value.self, also names: [String] = [],
        change: (inout Value) -> Void = { _ in }
    ) throws {
        var random = RandomJSON(seed: seed)
        var others = random.object(names: UnknownFieldTests.names + names, upTo: 12)
        for name in known.names { others[name] = nil }
        let whole = others.merging(known)
        var value = try Value(decoding: whole.encoded)
        change(&value)
        let written = try #require(JSONValue(decoding: value.fields.encoded).object)
        for name in others.names { #expect(written[name] == others[name], "\(type) \(name)") }
    }

    @Test(arguments: seeds)
    func profiles(seed: UInt64) throws {
        let known: JSONObject = ["displayName": "alice", "fullName": "", "preferences": .object(["voice": "x"])]
        try check(known, seed, Profile.self, also: ["description", "publicGroup"]) { $0.displayName = "bob" }
        try check(
            ["displayName": "team", "fullName": "", "description": "hi"], seed, GroupProfile.self
        ) {
            $0.welcome = "hello"
            $0.preferences = GroupPreferences()
            $0.preferences?[.voice] = GroupPreferences.Setting(false)
        }
        try check(["review": "all"], seed, MemberAdmission.self) { $0.review = nil }
    }

    @Test(arguments: seeds)
    func preferences(seed: UInt64) throws {
        try check(["voice": .object(["enable": "on"])], seed, GroupPreferences.self) {
            $0[.voice] = GroupPreferences.Setting(false, role: .admin)
        }
        // Also within a preference.
        var random = RandomJSON(seed: seed)
        var setting = random.object(names: ["duration"])
        for name in ["enable", "role"] { setting[name] = nil }
        var preferences = GroupPreferences(["voice": .object(setting.merging(["enable": "on"]))])
        preferences[.voice] = GroupPreferences.Setting(false, role: .admin)
        let written = preferences.fields["voice"]?.object
        for name in setting.names { #expect(written?[name] == setting[name]) }
        #expect(written?["enable"] == "off" && written?["role"] == "admin")
    }

    @Test(arguments: seeds)
    func linksAndInvitations(seed: UInt64) throws {
        let profile: JSONValue = .object(["displayName": "a", "fullName": ""])
        let member: JSONValue = .object(["memberId": "AQ==", "memberRole": "member"])
        try check(["profile": profile, "business": true], seed, ContactLinkContent.self)
        try check(
            ["groupProfile": profile, "publicGroupData": .object(["publicMemberCount": 1])], seed,
            GroupLinkContent.self)
        try check(
            ["chatType": "business", "businessId": "AQ==", "customerId": "Ag=="], seed, BusinessChatInfo.self)
        try check(
            ["fromMember": member, "invitedMember": member, "connRequest": "x", "groupProfile": profile], seed,
            GroupInvitation.self)
        try check(
            ["fromMember": member, "fromMemberName": "a", "invitedMember": member, "groupProfile": profile], seed,
            GroupLinkInvitation.self)
        try check(["memberId": "AQ==", "memberRole": "member", "profile": profile], seed, MemberInfo.self)
        var random = RandomJSON(seed: seed)
        let others = random.object(names: UnknownFieldTests.names)
        var fields = try #require(profile.object)
        for name in others.names where fields[name] == nil { fields[name] = others[name] }
        let content = try ContactLinkContent(linkContent: (["profile": .object(fields)] as JSONObject).encoded)
        let again = try ContactLinkContent(linkContent: content.linkContent(limit: 10_000))
        #expect(again.profile.fields == fields)
    }
}

/// Random JSON objects, the same for the same seed.
private struct RandomJSON {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// Returns an object with up to `count` fields, some of which have one of `names`.
    mutating func object(names: [String] = [], upTo count: Int = 6, depth: Int = 3) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...count, using: &random) {
            let name = names.randomElement(using: &random)
            object[Bool.random(using: &random) ? name ?? text() : "later-\(text())"] = value(depth: depth - 1)
        }
        return object
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: Int64.min...Int64.max, using: &random))
        case 3: return number()
        case 4, 5: return .string(text())
        case 6: return .string("")
        case 7:
            let count = Int.random(in: 0...4, using: &random)
            return .array((0..<count).map { _ in value(depth: depth - 1) })
        default: return .object(object(upTo: 4, depth: depth))
        }
    }

    /// A number that neither a 64-bit integer nor a binary fraction holds.
    private mutating func number() -> JSONValue {
        let digits = Int64.random(in: 1...Int64.max, using: &random)
        let sign = Bool.random(using: &random) ? "-" : ""
        let text = "\(sign)\(digits).\(digits)e\(Int.random(in: -30...30, using: &random))"
        return (try? JSONValue(decoding: Bytes(text.utf8))) ?? .null
    }

    private mutating func text() -> String {
        let ranges: [ClosedRange<UInt32>] = [0...0x1f, 0x20...0x7e, 0xa0...0x2ff, 0x4e00...0x4eff, 0x1f600...0x1f64f]
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let range = Bool.random(using: &random) ? ranges[1] : ranges.randomElement(using: &random) ?? ranges[1]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
