import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// The commands and messages of versions 19 and 20 with bytes derived from the source of the reference: lists of a
/// service's queues, and the resolution of names.
@Suite struct ServiceAndNameVectors {
    private let ids = [EntityID(Bytes(1...24)), EntityID(Bytes(25...48)), EntityID.empty]
    /// The exclusive or of the MD5 hashes of ``ids``, from another program.
    private let hash = "2a5de13752feed877f9402dac2c26d29"

    private var queues: ServiceQueues { ServiceQueues(ids) }
    private var list: String { "0000000000000003" + "10" + hash }

    private func hex(_ text: String) -> String { Hex.encode(Bytes(text.utf8)) }

    private func command(_ hex: String, _ command: ClientCommand, version: UInt16) throws {
        let bytes = try Hex.decode(hex)
        #expect(command.encoded(version: version) == bytes)
        #expect(try ClientCommand(decoding: bytes, version: version) == command)
        Damage.check(bytes) { try ClientCommand(decoding: $0, version: version) }
    }

    private func message(_ hex: String, _ message: RelayMessage, version: UInt16) throws {
        let bytes = try Hex.decode(hex)
        #expect(message.encoded(version: version) == bytes)
        #expect(try RelayMessage(decoding: bytes, version: version) == message)
        Damage.check(bytes) { try RelayMessage(decoding: $0, version: version) }
    }

    @Test func hashesOfIDs() throws {
        #expect(Hex.encode(MD5.hash(Bytes("abc".utf8))) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(Hex.encode(queues.hash) == hash)
        #expect(ServiceQueues(ids.reversed()) == queues)
        var changed = queues
        for id in ids { changed.remove(id) }
        #expect(changed == .none)
        #expect(ServiceQueues.none.hash == Bytes(repeating: 0, count: 16))
    }

    @Test(arguments: [19, 20] as [UInt16]) func listsOfQueues(version: UInt16) throws {
        try command(hex("SUBS ") + list, .subs(queues), version: version)
        try command(hex("NSUBS ") + list, .nsubs(queues), version: version)
        try message(hex("SOKS ") + list, .soks(queues), version: version)
        try message(hex("ENDS ") + list, .ends(queues), version: version)
        try message(hex("ALLS"), .alls, version: version)
        for tag in ["SUBS", "NSUBS"] {
            #expect(throws: CommandError.syntax) {
                try ClientCommand(decoding: Bytes(tag.utf8), version: version)
            }
        }
        let shortHash = try Hex.decode(hex("SUBS ") + "0000000000000003" + "0f" + hash.dropLast(2))
        #expect(throws: CommandError.syntax) { try ClientCommand(decoding: shortHash, version: version) }
    }

    @Test(arguments: [16, 18] as [UInt16]) func listsOfQueuesBefore(version: UInt16) throws {
        #expect(ClientCommand.subs(queues).encoded(version: version) == Bytes("SUBS".utf8))
        #expect(try ClientCommand(decoding: Bytes("NSUBS".utf8), version: version) == .nsubs(nil))
        #expect(throws: CommandError.syntax) {
            try ClientCommand(decoding: try Hex.decode(hex("SUBS ") + list), version: version)
        }
        try message(hex("SOKS ") + "0000000000000003", .soks(ServiceQueues(count: 3)), version: version)
        #expect(
            RelayMessage.ends(queues).encoded(version: version) == (try Hex.decode(hex("ENDS ") + "0000000000000003")))
    }

    @Test func requestsOfNames() throws {
        let domain = try SimplexDomain(text: "a-1.alice.simplex")
        let bytes = ClientCommand.rslv(domain).encoded(version: 20)
        #expect(bytes == Bytes("RSLV a-1.alice.simplex".utf8))
        #expect(try ClientCommand(decoding: bytes, version: 20) == .rslv(domain))
        for variant in Damage.variants(of: bytes) {
            // Names are read in both cases and compared in lower case.
            let text = String(decoding: variant, as: UTF8.self).lowercased()
            if (try? ClientCommand(decoding: variant, version: 20)) == .rslv(domain) {
                #expect(text == "rslv a-1.alice.simplex")
            }
        }
        #expect(try SimplexDomain(text: "Alice.SIMPLEX").description == "alice.simplex")
        let label = String(repeating: "a", count: 63)
        #expect(throws: Never.self) { try SimplexDomain(text: "\(label).\(label).\(label).\(label.dropLast(2))") }
        for text in [
            "", "alice", "alice.", ".simplex", "a..simplex", "-a.simplex", "a-.simplex", "a--b.simplex", "a b.simplex",
            "\u{430}lice.simplex", "a/b.simplex", "a%2e.simplex", "\(label)a.simplex",
            "\(label).\(label).\(label).\(label)",
        ] {
            #expect(throws: DecodeError.self, "\(text)") { try SimplexDomain(text: text) }
        }
    }

    @Test func recordsOfNames() throws {
        let record = NameRecord(
            name: "alice.simplex", nickname: "Alice", website: "https://example.com", location: "Here",
            contactLinks: ["simplex:/a#1", "simplex:/a#2"], channelLinks: ["simplex:/c#3"],
            coins: ["eth": "0x01", "btc": "b", "xmr": "x", "dot": "d"], owner: "0x02", resolver: "0x03")
        let text = """
            RNAME {"name":"alice.simplex","nickname":"Alice","website":"https://example.com","location":"Here",\
            "simplexContact":["simplex:/a#1","simplex:/a#2"],"simplexChannel":["simplex:/c#3"],"eth":"0x01",\
            "btc":"b","xmr":"x","dot":"d","owner":"0x02","resolver":"0x03"}
            """
        try message(hex(text), .rname(record), version: 20)
        let unset = """
            RNAME {"name":"a.testing","nickname":"","website":"","location":"","simplexContact":[],\
            "simplexChannel":[],"eth":null,"btc":null,"xmr":null,"dot":null,"owner":"","resolver":""}
            """
        let bytes = Bytes(unset.utf8)
        #expect(RelayMessage.rname(NameRecord(name: "a.testing")).encoded(version: 20) == bytes)
        #expect(try RelayMessage(decoding: bytes, version: 20) == .rname(NameRecord(name: "a.testing")))
        for field in ["name", "nickname", "website", "location", "simplexContact", "simplexChannel", "owner"] {
            let broken = Bytes(unset.replacing("\"\(field)\"", with: "\"other\"").utf8)
            #expect(throws: CommandError.syntax, "\(field)") { try RelayMessage(decoding: broken, version: 20) }
        }
    }

    @Test func errorsOfNames() throws {
        try message(hex("ERR NAME NO_RESOLVER"), .err(.name(.noResolver)), version: 20)
        try message(hex("ERR NAME NOT_FOUND"), .err(.name(.notFound)), version: 20)
        try message(hex("ERR NAME RESOLVER HTTP 502"), .err(.name(.resolver("HTTP 502"))), version: 20)
        try message(
            hex("ERR PROXY PROTOCOL NAME NOT_FOUND"), .err(.proxy(.relay(.name(.notFound)))), version: 20)
    }

    @Test func credentials() {
        #expect(throws: Never.self) { try CommandTag.rslv.checkCredentials(isAuthorized: false, hasEntity: false) }
        for (isAuthorized, hasEntity) in [(true, false), (false, true), (true, true)] {
            #expect(throws: CommandError.hasAuthorization) {
                try CommandTag.rslv.checkCredentials(isAuthorized: isAuthorized, hasEntity: hasEntity)
            }
        }
        for tag in [MessageTag.alls, .rname] {
            #expect(throws: Never.self) { try tag.checkEntity(isPresent: false) }
            #expect(throws: CommandError.hasAuthorization) { try tag.checkEntity(isPresent: true) }
        }
    }
}
