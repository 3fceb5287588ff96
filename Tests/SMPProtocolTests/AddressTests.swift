import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

@Suite struct AddressTests {
    @Test func hosts_are_limited_in_number_and_size() throws {
        func hosts(_ count: Int, _ size: Int) -> String {
            (0..<count).map { _ in String(repeating: "a", count: size) }.joined(separator: ",")
        }
        func address(_ hosts: String) throws -> ServerAddress {
            try ConfiguredServer(text: "smp://\(String(repeating: "A", count: 43))=@\(hosts)").address
        }
        let largest = try address(hosts(16, 64))
        #expect(try ServerAddress(decoding: largest.encoded) == largest)
        for text in [hosts(17, 10), hosts(5, 250)] {
            #expect(throws: DecodeError.self) { try address(text) }
            let names = text.split(separator: ",").map { TransportHost.domain(String($0)) }
            let unlimited = ServerAddress(hosts: names, port: nil, fingerprint: Bytes(repeating: 1, count: 32))
            #expect(throws: DecodeError.self) { try ServerAddress(decoding: unlimited.encoded) }
        }
    }

    /// What comes from a contact in the binary form is kept as text.
    @Test func binary_addresses_survive_text_form() throws {
        var random = SeededRandom(seed: 41)
        let letters = Array("a0.:[]@?#&%=-_ \u{e9}\u{301}😀\u{0}\u{1b}".unicodeScalars)
        var readable = 0
        for _ in 0..<20_000 {
            var hosts: [TransportHost] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                var name = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...12, using: &random) {
                    name.append(letters.randomElement(using: &random) ?? "a")
                }
                hosts.append(.domain(String(name)))
            }
            let size = [1, 31, 32, 255].randomElement(using: &random) ?? 1
            let written = ServerAddress(
                hosts: hosts, port: Bool.random(using: &random) ? 5224 : nil, fingerprint: random.bytes(size))
            guard let read = try? ServerAddress(decoding: written.encoded) else { continue }
            readable += 1
            #expect(try ServerAddress(text: read.description) == read)
        }
        #expect(readable > 1000)
    }

    @Test func errors_of_proxies_are_not_nested() throws {
        let nested = String(repeating: "PROXY PROTOCOL ", count: 1000) + "AUTH"
        #expect(throws: DecodeError.self) { try ProtocolError(decoding: Bytes(nested.utf8)) }
        #expect(try ProtocolError(decoding: Bytes("PROXY PROTOCOL AUTH".utf8)) == .proxy(.relay(.authorization)))
    }

    /// A port after an IPv6 address would be read as its last group.
    @Test(arguments: [
        ("smp://AQ==@[::1]:5224", "smp://AQ==@[::1]:5224"), ("smp://AQ==@[::1]", "smp://AQ==@::1"),
        ("smp://AQ==@::1,h:5224", "smp://AQ==@::1,h:5224"), ("smp://AQ==@h,[::1]:5224", "smp://AQ==@h,[::1]:5224"),
        ("smp://AQ==:secret@[::1]:5224", "smp://AQ==:secret@[::1]:5224"),
    ])
    func portsOfIPv6Addresses(text: String, written: String) throws {
        let server = try ConfiguredServer(text: text)
        #expect(server.description == written)
        #expect(try ConfiguredServer(text: server.description) == server)
        #expect(server.address.port == (text.hasSuffix("5224") ? 5224 : nil))
        #expect(try ServerAddress(decoding: server.address.encoded) == server.address)
    }
}
