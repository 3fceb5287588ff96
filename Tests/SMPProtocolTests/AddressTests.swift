import ByteCoding
import SMPProtocol
import Testing

@Suite struct AddressTests {
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
