import ByteCoding
import CryptoCore
import JSONCoding
import Testing

@testable import LibSimplex

@Suite struct ParsedTextTests {
    @Test func marked_text() {
        #expect(
            ParsedTexts.markdown("a *b*").line
                == #"{"formattedText":[{"text":"a "},{"format":{"type":"bold"},"text":"b"}]}"#)
        #expect(ParsedTexts.markdown("a b").line == "{}")
    }

    @Test func servers() {
        let key = "LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI="
        #expect(
            ParsedTexts.server("smp://\(key):secret@smp8.example,abc.onion:5224").line
                == #"{"serverAddress":{"serverProtocol":"smp","hostnames":["smp8.example","abc.onion"],"port":"5224","#
                + #""keyHash":"\#(key)","basicAuth":"secret"},"parseError":""}"#)
        let xftp = ParsedTexts.server("xftp://\(key)@xftp.example")["serverAddress"]?.object
        #expect(xftp?["serverProtocol"] == "xftp" && xftp?["port"] == "")
        for text in ["", "smp", "ftp://\(key)@a", "smp://\(key)", "smp://\(key)@a b"] {
            let parsed = ParsedTexts.server(text)
            #expect(parsed["serverAddress"] == nil && parsed["parseError"]?.string?.isEmpty == false, "\(text)")
        }
    }

    @Test func addresses() {
        #expect(
            ParsedTexts.uri("https://a.example/x1?utm=1&q=2", isCautious: false).line
                == #"{"uriInfo":{"scheme":"https","sanitized":"https://a.example/x1?q=2"},"parseError":""}"#)
        #expect(
            ParsedTexts.uri("http://a.example/", isCautious: true).line
                == #"{"uriInfo":{"scheme":"http"},"parseError":""}"#)
        #expect(ParsedTexts.uri("a", isCautious: true)["parseError"]?.string?.isEmpty == false)
    }

    @Test func password_hashes() {
        let expected = Base64URL.encode(SHA512.hash(Bytes("passwordsalt".utf8)))
        #expect(
            ParsedTexts.passwordHash(Bytes("password".utf8), salt: Base64URL.encode(Bytes("salt".utf8))) == expected)
        #expect(ParsedTexts.passwordHash([], salt: "*") == "")
    }

    @Test func names() {
        #expect(ParsedTexts.validName(" @alice   jones ") == "alice jones")
        #expect(ParsedTexts.validName("'") == "")
    }

    @Test func sizes_in_JSON() {
        #expect(ParsedTexts.jsonLength("") == 0)
        #expect(ParsedTexts.jsonLength("a\"\\\n\r\té\u{1}\u{7F}😀") == 1 + 10 + 2 + 6 + 1 + 4)
    }
}
