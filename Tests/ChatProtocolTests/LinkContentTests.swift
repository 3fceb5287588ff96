import ByteCoding
import ChatProtocol
import Compression
import CryptoCore
import JSONCoding
import TestSupport
import Testing

@Suite struct LinkContentTests {
    /// The room in the record of an address.
    private static let limit = 13_706

    private static let group = GroupProfile(
        displayName: "team", shortDescription: "d", welcome: "hi", image: Constructed.image,
        preferences: GroupPreferences(["voice": .object(["enable": .string("on")])]),
        admission: MemberAdmission(review: .all))

    @Test func contactsAreWrittenAsOthersReadThem() throws {
        let content = ContactLinkContent(
            profile: Profile(displayName: "alice"), welcome: MessageContent("hello"), isBusiness: true)
        let text =
            #"{"profile":{"displayName":"alice","fullName":""},"message":{"type":"text","text":"hello"},"business":true}"#
        let bytes = try content.linkContent(limit: Self.limit)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(try ContactLinkContent(linkContent: bytes) == content)
        // No welcome is no field, while no business is one.
        let plain = ContactLinkContent(profile: Profile(displayName: "alice"))
        #expect(
            plain.fields.line == #"{"profile":{"displayName":"alice","fullName":""},"business":false}"#)
        let old = Bytes(#"{"profile":{"displayName":"alice","fullName":""}}"#.utf8)
        #expect(try ContactLinkContent(linkContent: old) == plain)
    }

    @Test func groupsAreWrittenAsOthersReadThem() throws {
        let content = GroupLinkContent(profile: Self.group, summary: .init(memberCount: 7))
        let fields = content.fields
        #expect(fields["publicGroupData"]?.object?.line == #"{"publicMemberCount":7}"#)
        let profile = try #require(fields["groupProfile"]?.object)
        #expect(
            profile.names == [
                "displayName", "fullName", "shortDescr", "description", "image", "groupPreferences", "memberAdmission",
            ])
        #expect(try GroupLinkContent(linkContent: content.linkContent(limit: Self.limit)) == content)
        #expect(GroupLinkContent(profile: Self.group).fields["publicGroupData"] == nil)
        let reduced = GroupProfile(
            displayName: "team", preferences: Self.group.preferences, admission: Self.group.admission)
        #expect(content.reduced == GroupLinkContent(profile: reduced, summary: .init(memberCount: 7)))
    }

    @Test func unknown_fields_survive() throws {
        let contact =
            #"{"new":1,"profile":{"new":2,"displayName":"a","fullName":"b"},"business":false}"#
        #expect(try ContactLinkContent(linkContent: Bytes(contact.utf8)).fields.line == contact)
        let group =
            #"{"new":1,"groupProfile":{"displayName":"a","fullName":"","publicGroup":"#
            + #"{"x":[1],"groupType":"channel","groupLink":"l","publicGroupId":"AQID"}},"#
            + #""publicGroupData":{"new":2,"publicMemberCount":3}}"#
        #expect(try GroupLinkContent(linkContent: Bytes(group.utf8)).fields.line == group)
    }

    @Test func longContentIsCompressed() throws {
        func content(_ count: Int) -> ContactLinkContent {
            ContactLinkContent(profile: Profile(displayName: "a", image: String(repeating: "x", count: count)))
        }
        let overhead = content(0).fields.encoded.count
        let longest = try content(10_240 - overhead).linkContent(limit: Self.limit)
        #expect(longest.count == 10_240 && longest.first == UInt8(ascii: "{"))
        let compressed = try content(10_241 - overhead).linkContent(limit: Self.limit)
        #expect(compressed.count < 200 && compressed.first == UInt8(ascii: "X"))
        #expect(try ContactLinkContent(linkContent: compressed) == content(10_241 - overhead))
        let largest = content(65_536 - overhead)
        #expect(try ContactLinkContent(linkContent: largest.linkContent(limit: Self.limit)) == largest)
        let tooLarge = content(65_537 - overhead)
        #expect(throws: PayloadSizeError.tooLarge(size: 65_537, limit: 65_536)) {
            try tooLarge.linkContent(limit: Self.limit)
        }
        let frame = [UInt8(ascii: "X")] + Zstandard.compress(tooLarge.fields.encoded)
        #expect(throws: PayloadError.tooLarge) { try ContactLinkContent(linkContent: frame) }
    }

    @Test func oversized_content_is_rejected() throws {
        let noise = Base64.encode(SeededRandom(seed: 3).bytes(15_000))
        let content = ContactLinkContent(
            profile: Profile(
                displayName: "a", fullName: "b", image: noise, preferences: Constructed.preferences),
            welcome: MessageContent("hello"), isBusiness: true)
        #expect(throws: PayloadSizeError.self) { try content.linkContent(limit: Self.limit) }
        let reduced = content.reduced
        #expect(reduced.profile == Profile(displayName: "a", preferences: Constructed.preferences))
        #expect(reduced.welcome == nil && reduced.isBusiness)
        let bytes = try reduced.linkContent(limit: Self.limit)
        #expect(throws: PayloadSizeError.tooLarge(size: bytes.count, limit: bytes.count - 1)) {
            try reduced.linkContent(limit: bytes.count - 1)
        }
    }

    @Test func damagedContent() throws {
        #expect(throws: PayloadError.empty) { try ContactLinkContent(linkContent: []) }
        #expect(throws: PayloadError.compression) { try ContactLinkContent(linkContent: Bytes("X".utf8)) }
        for text in ["{}", "[]", #"{"profile":{"displayName":"a"}}"#, #"{"groupProfile":{"fullName":""}}"#] {
            let refusal = Result { () throws(PayloadError) in try ContactLinkContent(linkContent: Bytes(text.utf8)) }
            guard case .failure(.malformed) = refusal else {
                Issue.record("\(text) is no contact")
                continue
            }
            #expect(throws: PayloadError.self) { try GroupLinkContent(linkContent: Bytes(text.utf8)) }
        }
        let contact = ContactLinkContent(profile: Constructed.alice, welcome: MessageContent("hello"))
        Damage.check(try contact.linkContent(limit: Self.limit)) { try ContactLinkContent(linkContent: $0) }
        let group = GroupLinkContent(profile: Self.group, summary: .init(memberCount: 7))
        Damage.check(try group.linkContent(limit: Self.limit)) { try GroupLinkContent(linkContent: $0) }
        let frame = [UInt8(ascii: "X")] + Zstandard.compress(contact.fields.encoded)
        #expect(try ContactLinkContent(linkContent: frame) == contact)
        Damage.survive(frame) { _ = try ContactLinkContent(linkContent: $0) }
    }

    @Test func marksOfGroups() throws {
        let mark = GroupLinkMark(linkID: Bytes(0..<16))
        #expect(mark.clientText == #"{"type":"group","groupLinkId":"AAECAwQFBgcICQoLDA0ODw=="}"#)
        #expect(GroupLinkMark(clientText: mark.clientText) == mark)
        for text in [
            "", "{}", #"{"type":"group"}"#, #"{"type":"other","groupLinkId":"AA=="}"#,
            #"{"type":"group","groupLinkId":"*"}"#, #"{"type":"group","groupLinkId":""}"#,
        ] {
            #expect(GroupLinkMark(clientText: text) == nil)
        }
    }
}
