import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@Suite struct ProfileTests {
    private func read(_ json: String) throws -> Profile {
        let message = Bytes(#"{"event":"x.info","params":{"profile":\#(json)}}"#.utf8)
        guard case .profile(let profile, _) = try ChatMessage(decoding: message).event else {
            throw DecodeError.invalid("event")
        }
        return profile
    }

    @Test func everyFieldSurvives() throws {
        let text =
            #"{"new":{"x":1},"displayName":"a","fullName":"b","shortDescr":"d","image":"c","contactLink":"https://a/b","#
            + #""preferences":{"new":[1],"voice":{"allow":"no"}},"peerType":"bot"}"#
        let profile = try read(text)
        #expect(profile.peerType == .bot)
        #expect(profile.otherFields == ["new": .object(["x": .integer(1)])])
        let parameters = ChatMessage(event: .profile(profile, otherFields: ["memberKey": .string("k")])).event
            .parameters
        #expect(parameters.line == #"{"memberKey":"k","profile":\#(text)}"#)
        #expect(try read(#"{"displayName":"a","fullName":"","peerType":"new"}"#).peerType?.rawValue == "new")
        #expect(try read(#"{"displayName":"a","fullName":"","image":null}"#) == Profile(displayName: "a"))
    }

    @Test func badge_and_long_description_are_read_and_stay_as_they_came() throws {
        let badge =
            #"{"badgeKeyIdx":7,"presHeader":"AA","proof":"BB","badgeInfo":{"badgeType":"legend","#
            + #""badgeExpiry":"2027-01-02T03:04:05Z","badgeExtra":"x","new":1}}"#
        let text = #"{"description":"two\nlines","badge":\#(badge),"displayName":"a","fullName":""}"#
        let profile = try read(text)
        #expect(profile.longDescription == "two\nlines")
        #expect(profile.badge?.kind == "legend" && profile.badge?.extra == "x")
        #expect(profile.badge?.expiresAt?.description == "2027-01-02T03:04:05.000Z")
        #expect(ChatMessage(event: .profile(profile)).event.parameters.line == #"{"profile":\#(text)}"#)
        let without: [String] = [
            "null", "1", "[]", "{}", #"{"badgeInfo":{}}"#, #"{"badgeInfo":{"badgeType":1}}"#,
            #"{"badgeInfo":{"badgeType":"legend","badgeExpiry":"soon"}}"#,
            #"{"badgeInfo":{"badgeType":"legend","badgeExpiry":1}}"#,
        ]
        for value in without {
            let profile = try read(#"{"displayName":"a","fullName":"","badge":\#(value),"description":2}"#)
            #expect(profile.badge == nil && profile.longDescription == nil)
        }
        let endless = try read(
            #"{"displayName":"a","fullName":"","badge":{"badgeInfo":{"badgeType":"supporter","badgeExpiry":null}}}"#)
        #expect(endless.badge?.kind == "supporter" && endless.badge?.expiresAt == nil && endless.badge?.extra == "")
    }

    @Test func sending() throws {
        var profile = Constructed.alice
        profile.shortDescription = String(repeating: "é", count: 160)
        try profile.checkForSending()
        profile.shortDescription? += "."
        #expect(throws: ProfileError.shortDescription) { try profile.checkForSending() }
        profile.shortDescription = nil
        profile.displayName = "@alice"
        #expect(throws: ProfileError.displayName) { try profile.checkForSending() }
        profile.displayName = "alice"
        let prefix = "data:image/jpg;base64,"
        profile.image = prefix + String(repeating: "A", count: 12_500 - prefix.count - 2)
        try profile.checkForSending()
        // Pictures are text of any kind, as in the official core.
        for image in ["", "https://a/b.png", "data:image/jpeg;base64,AAAA", "data:image/svg+xml;base64,AAAA"] {
            profile.image = image
            try profile.checkForSending()
        }
        profile.image = prefix + String(repeating: "A", count: 12_504 - prefix.count - 2)
        #expect(throws: ProfileError.image) { try profile.checkForSending() }
    }

    /// What somebody else presents loses a picture that is too large, and nothing else.
    @Test func a_picture_of_others_has_12500_bytes() {
        var profile = Constructed.alice
        let prefix = "data:image/jpg;base64,"
        for (size, isKept) in [(12_500, true), (12_501, false), (1_000_000, false)] {
            profile.image = prefix + String(repeating: "A", count: size - prefix.count)
            var expected = profile
            if !isKept { expected.image = nil }
            #expect(profile.withBoundedImage == expected, "\(size)")
        }
        // Bytes are counted, not characters.
        profile.image = String(repeating: "é", count: 6251)
        #expect(profile.withBoundedImage.image == nil)
    }

    /// Names of others and what commands make of them; nil if nothing is left.
    @Test(arguments: [
        ("alice", "alice"), ("алиса", "алиса"), ("John Doe", "John Doe"), ("J.Doe", "J.Doe"), ("J. Doe", "J. Doe"),
        ("J..Doe", "J..Doe"), ("J ..Doe", "J ..Doe"), ("J ... Doe", "J ... Doe"), ("J .... Doe", "J ... Doe"),
        ("J . . Doe", "J . Doe"), ("@alice", "alice"), ("#alice", "alice"), ("'alice", "alice"), (" alice", "alice"),
        ("?alice", "alice"), ("#@'. alice", "alice"), ("alice ", "alice"), ("alice \t\n", "alice"),
        ("John  Doe", "John Doe"), ("John\u{a0}Doe", "John Doe"), ("John\tDoe", "John Doe"), ("'John Doe'", "John Doe"),
        ("O'Neil", "ONeil"), (#""John Doe""#, #"John Doe""#), ("`John Doe`", "`John Doe`"),
        (#"John "Doe""#, #"John "Doe""#), ("alice/bob", "alice/bob"), ("alice / bob", "alice / bob"),
        ("alice /// bob", "alice /// bob"), ("alice //// bob", "alice /// bob"), ("alice >>= bob", "alice >>= bob"),
        ("alice@example.com", "alice@example.com"), ("alice <> bob", "alice <> bob"), ("alice -> bob", "alice -> bob"),
        ("7", "7"), ("+", "+"), ("😀", "😀"), ("e\u{301}", "e\u{301}"), ("\u{301}e", "e"), ("a \u{301}b", "a b"),
        // A line that is written from right to left, and a join that nobody sees.
        ("al\u{202e}ice", "alice"), ("al\u{200d}ice", "alice"), ("a\u{0}b\u{7f}c\u{1b}d", "abcd"),
        ("01234567890123456789012345678901234567890123456789", "01234567890123456789012345678901234567890123456789"),
        (
            "01234567890123456789012345678901234567890123456789extra",
            "01234567890123456789012345678901234567890123456789"
        ),
        (
            "0123456789012345678901234567890123456789012345678 extra",
            "0123456789012345678901234567890123456789012345678"
        ),
        ("", nil), (" ", nil), ("'", nil), ("@#", nil), ("...", nil), ("\u{202e}", nil),
    ])
    func localNames(text: String, valid: String?) {
        let scalars = Profile.DisplayName.localName(for: text)?.unicodeScalars.map(\.value)
        #expect(scalars == valid?.unicodeScalars.map(\.value))
        let isValid = !text.isEmpty && text.unicodeScalars.elementsEqual((valid ?? "").unicodeScalars)
        #expect(Profile.DisplayName.isLocalName(text) == isValid)
        if let valid { #expect(Profile.DisplayName.isLocalName(valid)) }
    }

    /// Names of one's own and what is made of them; nil if nothing is left. Source: the rule of 7.0.
    @Test(arguments: [
        ("alice", "alice"),
        ("алиса", "алиса"),
        ("John Doe", "John Doe"),
        ("J.Doe", "JDoe"),
        ("J..Doe", "JDoe"),
        ("J - Doe", "J - Doe"),
        ("J -- Doe", "J - Doe"),
        ("J - - Doe", "J - Doe"),
        ("a--b", "a-b"),
        ("a-b_c", "a-b_c"),
        ("new.name", "newname"),
        ("@alice", "alice"),
        ("#alice", "alice"),
        ("'alice", "alice"),
        (" alice", "alice"),
        ("?alice", "alice"),
        ("alice ", "alice"),
        ("alice \t\n", "alice"),
        ("John  Doe", "John Doe"),
        ("John\u{a0}Doe", "John Doe"),
        ("John\tDoe", "John Doe"),
        ("O'Neil", "ONeil"),
        ("\"John Doe\"", "John Doe"),
        ("`John Doe`", "John Doe"),
        ("alice/bob", "alicebob"),
        ("alice / bob", "alice bob"),
        ("a;b,c\\d~e", "abcde"),
        ("alice@example.com", "aliceexamplecom"),
        ("alice -> bob", "alice -> bob"),
        ("alice <> bob", "alice <> bob"),
        ("alice + bob", "alice + bob"),
        ("alice !? bob", "alice ! bob"),
        ("alice!", "alice!"),
        ("alice (work)", "alice work"),
        ("alice [x] {y} «z»", "alice x y z"),
        ("7", "7"),
        ("²", nil),
        ("+", nil),
        ("€", nil),
        ("5 €", "5 €"),
        ("😀", "😀"),
        ("😀 😀", "😀 😀"),
        ("e\u{301}", "e\u{301}"),
        ("\u{301}e", "e"),
        ("a \u{301}b", "a b"),
        ("a-\u{301}b", "a-b"),
        ("al\u{202e}ice", "alice"),
        ("al\u{200d}ice", "alice"),
        ("a\u{0}b\u{7f}c\u{1b}d", "abcd"),
        ("01234567890123456789012345678901234567890123456789", "01234567890123456789012345678901234567890123456789"),
        (
            "01234567890123456789012345678901234567890123456789extra",
            "01234567890123456789012345678901234567890123456789"
        ),
        (
            "0123456789012345678901234567890123456789012345678 extra",
            "0123456789012345678901234567890123456789012345678"
        ),
        ("0123456789012345678901234567890123456789012345678- x", "0123456789012345678901234567890123456789012345678-"),
        ("a·b", "a·b"),
        ("a…b", "a…b"),
        ("^", nil),
        ("a^b", "ab"),
        ("", nil),
        (" ", nil),
        ("'", nil),
        ("@#", nil),
        ("...", nil),
        ("---", nil),
    ])
    func displayNames(text: String, valid: String?) throws {
        #expect(
            Profile.DisplayName.suggestion(for: text)?.text.unicodeScalars.map(\.value)
                == valid?.unicodeScalars.map(\.value))
        if text.unicodeScalars.elementsEqual((valid ?? "").unicodeScalars), !text.isEmpty {
            #expect(try Profile.DisplayName(text).text == text)
        } else {
            #expect(throws: ProfileError.displayName) { try Profile.DisplayName(text) }
        }
        if let valid {
            #expect(try Profile.DisplayName(valid).text == valid)
        }
    }
}
