import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

/// Names in the place of links, and claims of names in profiles.
@Suite struct SimplexNameTests {
    @Test(arguments: [
        ("simplex:/name#example", ["#example"], "example.simplex"), ("#Example", ["#example"], "example.simplex"),
        ("SIMPLEX:/name@alice.simplex", ["@alice.simplex"], "alice.simplex"),
        ("@alice.example.org", ["@alice.example.org"], "alice.example.org"),
        ("simplex:/nameexample", ["#example"], "example.simplex"),
        ("A-b.testing", ["#a-b.testing", "@a-b.testing"], "a-b.testing"),
        ("shop.alice.simplex", ["#shop.alice.simplex", "@shop.alice.simplex"], "shop.alice.simplex"),
        ("simplex:/namechat.example.org", ["#chat.example.org", "@chat.example.org"], "chat.example.org"),
    ])
    func namesAreRead(text: String, names: [String], domain: String) {
        let read = SimplexName.named(by: text)
        #expect(read.map(\.text) == names)
        #expect(read.allSatisfy { $0.fullDomain == domain })
    }

    @Test(arguments: [
        "", "#", "@", "@alice", "alice", "example.org", "#a..b", "#-a", "@a-.b", "#a--b", "@a.b c", "simplex:/i#abc",
        "https://smp.example.org/c#abc", "#é", "@\(String(repeating: "a", count: 64)).org", "@\u{212A}.simplex",
        "@\(String(repeating: "a.", count: 126))ab", "simplex:/name", "simplex:/name@", "a@b.simplex", "#a.simplex ",
    ])
    func otherTextsAreNoNames(text: String) {
        #expect(SimplexName.named(by: text).isEmpty)
    }

    @Test(arguments: [
        ("alice.simplex", #"{"nameTLD":"simplex","domain":"alice","subDomain":[]}"#),
        ("a.b.alice.simplex", #"{"nameTLD":"simplex","domain":"alice","subDomain":["b","a"]}"#),
        ("x.testing", #"{"nameTLD":"testing","domain":"x","subDomain":[]}"#),
        ("chat.example.org", #"{"nameTLD":"web","domain":"chat.example.org","subDomain":[]}"#),
    ])
    func domainsHaveTheFormOfTheAPI(domain: String, json: String) throws {
        let name = try #require(SimplexName(.contact, domain: domain))
        #expect(name.domainFields.line == json)
        var fields = try JSONFields(decoding: Bytes(json.utf8))
        #expect(try SimplexName(.contact, domain: &fields) == name)
    }

    @Test(arguments: [
        #"{"nameTLD":"simplex","domain":"a.b","subDomain":"x"}"#,
        #"{"nameTLD":"web","domain":"a.simplex","subDomain":[]}"#,
        #"{"nameTLD":"other","domain":"a","subDomain":[]}"#, #"{"nameTLD":"simplex","domain":"","subDomain":[]}"#,
        #"{"domain":"a","subDomain":[]}"#, #"{"nameTLD":"simplex","domain":"-","subDomain":[]}"#,
    ])
    func otherDomainsAreRefused(json: String) throws {
        var fields = try JSONFields(decoding: Bytes(json.utf8))
        #expect(throws: DecodeError.self) { try SimplexName(.contact, domain: &fields) }
    }

    @Test func claimsStandInProfilesAndChannels() throws {
        let text = """
            {"domain":"Alice.simplex","proof":{"presHeader":"TAA","linkOwnerId":"AQID","signature":"BAUG"}}
            """
        var profile = Profile(displayName: "alice")
        profile.otherFields["contactDomain"] = try JSONValue(decoding: Bytes(text.utf8))
        let claim = try #require(profile.domainClaim)
        #expect(claim.domain == "alice.simplex")
        #expect(claim.proof == DomainProof(ownerID: [1, 2, 3], header: "TAA", signature: [4, 5, 6]))
        var fields = try JSONFields(decoding: claim.fields.encoded)
        #expect(try DomainClaim(from: &fields) == claim)
        profile.domainClaim = nil
        #expect(profile.fields["contactDomain"] == nil)
        let access = PublicGroupAccess(domainClaim: .object(["domain": "news.simplex"]))
        #expect(access.claim == DomainClaim("news.simplex"))
        for damaged in ["[]", "{}", #"{"domain":1}"#, "7"] {
            #expect(PublicGroupAccess(domainClaim: try JSONValue(decoding: Bytes(damaged.utf8))).claim == nil)
        }
        // A proof that cannot be read is none.
        #expect(
            PublicGroupAccess(domainClaim: .object(["domain": "a.simplex", "proof": .object(["signature": "="])])).claim
                == DomainClaim("a.simplex"))
        for variant in Damage.variants(of: Bytes(text.utf8)) {
            guard let value = try? JSONValue(decoding: variant) else { continue }
            profile.otherFields["contactDomain"] = value
            _ = profile.domainClaim
        }
    }

    @Test func proofsSignOneLineOfText() {
        let proof = DomainProof(ownerID: nil, header: "TAAE", signature: [])
        #expect(
            String(decoding: proof.signedText("alice.simplex", link: "A smp://x@h AA=="), as: UTF8.self)
                == "simplex_domain_v1 TAAE alice.simplex A smp://x@h AA==")
    }
}
