import SecureTransport
import Testing

@Suite struct IPAddressTests {
    private func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text), "\(text)")
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
        "192.0.1.0",
        "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:4860:4860::8888",
        "2606:4700::1111", "2a00::1", "3ffe::1", "::ffff:1.1.1.1", "2001:200::1", "2003::1",
    ]) func public_addresses(_ text: String) throws {
        #expect(try address(text).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.255",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1",
        "2001::1", "2001:2::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "3fff:fff::1", "4000::1",
        "fc00::1",
        "fdff::1", "fe80::1", "fec0::1", "ff02::1",
    ]) func addresses_that_are_not_public(_ text: String) throws {
        #expect(try !address(text).isPublic)
    }

    @Test func one_client_is_an_IPv4_address_or_a_64_of_IPv6() throws {
        #expect(try address("192.0.2.1").network == address("::ffff:192.0.2.1").network)
        #expect(try address("192.0.2.1").network != address("192.0.2.2").network)
        #expect(try address("2a00:1:2:3::1").network == address("2a00:1:2:3:ffff::9").network)
        #expect(try address("2a00:1:2:3::1").network != address("2a00:1:2:4::1").network)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "1.2.3.256", ":::", "1.2.3.4 "])
    func names_are_not_addresses(_ text: String) {
        #expect(IPAddress(text) == nil)
    }
}
