import ByteCoding
import SMPProtocol
import TestSupport
import Testing

/// `keys.json`: addresses of servers and hosts.
@Suite struct AddressVectors {
    @Test(arguments: VectorFile.cases("keys", kind: "parseServer"))
    func parsesServers(vector: Vector) throws {
        let text = vector["text"].text
        // A port of any number of digits is accepted by the recorded implementation: "a quirk, not a requirement".
        if text.hasSuffix(":99999999") {
            #expect(throws: DecodeError.self) { try ConfiguredServer(text: text) }
            return
        }
        let server = try? ConfiguredServer(text: text)
        #expect((server == nil) == vector.has("error"))
        var withoutPassword: String? =
            if case .string(let text) = vector["asServerWithoutPassword"] { text } else { nil }
        // The recorded implementation writes this address without brackets, which reads as another one without a port.
        let isAmbiguous = text.hasSuffix("@[::1]:5223")
        if isAmbiguous { withoutPassword = text }
        #expect((try? ServerAddress(text: text))?.description == withoutPassword)
        guard let server else { return }
        #expect(server.description == (isAmbiguous ? text : vector["canonical"].text))
        #expect(server.password?.text == vector.field("basicAuth")?.text)
        check(server.address, vector["server"])
        let binary = vector["binary"].bytes
        #expect(server.address.encoded == binary)
        #expect(try ServerAddress(decoding: binary) == server.address)
        Damage.check(binary) { try ServerAddress(decoding: $0) }
        Damage.survive(Bytes(text.utf8)) { _ = try ConfiguredServer(text: String(decoding: $0, as: UTF8.self)) }
    }

    private func check(_ address: ServerAddress, _ vector: Vector) {
        #expect(address.hosts.map(\.description) == vector["hosts"].list.map(\.text))
        #expect((address.port.map { "\($0)" } ?? "") == vector["port"].text)
        #expect(address.fingerprint == vector["keyHash"].bytes)
    }

    @Test(arguments: VectorFile.cases("keys", kind: "serverBinary"))
    func encodesServers(vector: Vector) throws {
        let address = try ServerAddress(text: vector["text"].text)
        check(address, vector["server"])
        #expect(address.encoded == vector["binary"].bytes)
        #expect(address.description == vector["text"].text)
        var writer = ByteWriter()
        address.encodeLegacy(into: &writer)
        #expect(writer.bytes == vector["legacyBinary"].bytes)
        var reader = ByteReader(writer.bytes)
        #expect(try ServerAddress(legacyFrom: &reader).description == vector["legacyText"].text)
    }

    @Test(arguments: VectorFile.cases("keys", kind: "parseHost"))
    func parsesHosts(vector: Vector) {
        let text = vector["text"].text
        let host = try? TransportHost(text: text)
        // Numbers of an IP address above 255 wrap around in the recorded implementation: "a quirk, not a requirement".
        if text == "1.2.3.256" {
            #expect(host == .domain(text))
            return
        }
        #expect(host?.description == vector.field("canonical")?.text)
        #expect(host?.encoded == vector.field("binary")?.bytes)
        #expect(host?.kind == vector.field("type")?.text)
    }

    @Test func linesOfTheSpecification() throws {
        let one = VectorFile.line("SMPServer 1 host str").quoted
        #expect(try ServerAddress(text: one).description == one)
        #expect(try ServerAddress(text: one).encoded == VectorFile.line("SMPServer 1 host no port").bytes)
        let two = VectorFile.line("SMPServer 2 hosts str").quoted
        #expect(try ServerAddress(text: two).description == two)
        #expect(try ServerAddress(text: two).encoded == VectorFile.line("SMPServer 2 hosts port 5223").bytes)
        let secret = VectorFile.line("server with auth").quoted
        #expect(try ConfiguredServer(text: secret).description == secret)
        for host in ["smp.simplex.im", "192.168.0.1"] {
            #expect(try TransportHost(text: host).encoded == VectorFile.line("host \(host)").bytes)
        }
    }
}

extension TransportHost {
    fileprivate var kind: String {
        switch self {
        case .ipv4: "ipv4"
        case .ipv6: "ipv6"
        case .onion: "onion"
        case .domain: "domain"
        }
    }
}
