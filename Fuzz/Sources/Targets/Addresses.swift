import AgentProtocol
import ByteCoding
import SMPProtocol

extension FuzzTarget {
    /// Addresses of servers, and the small texts and numbers that everything is made of.
    static let addresses = FuzzTarget(name: "addresses") { input in
        roundTrip(input, ServerAddress.self)
        roundTrip(input, TransportHost.self)
        roundTrip(input, VersionRange.self)
        roundTrip(input, ServerPassword.self)
        guard let text = String(validating: input, as: UTF8.self) else { return }
        roundTrip(text) { try ServerAddress(text: $0) }
        roundTrip(text) { try ConfiguredServer(text: $0) }
        roundTrip(text) { try TransportHost(text: $0) }
        roundTrip(text) { try VersionRange(text: $0) }
        roundTrip(text) { try Timestamp(text: $0) }
        roundTrip(input, { try Hex.decode(String(decoding: $0, as: UTF8.self)) }, { Bytes(Hex.encode($0).utf8) })
        roundTrip(
            input, { try Base64URL.decode(String(decoding: $0, as: UTF8.self)) }, { Bytes(Base64URL.encode($0).utf8) })
        roundTrip(input, { try Base64.decode(String(decoding: $0, as: UTF8.self)) }, { Bytes(Base64.encode($0).utf8) })
    }

    /// Links as text, which people paste.
    static let links = FuzzTarget(name: "links") { input in
        let text = String(decoding: input, as: UTF8.self)
        roundTrip(text) { try ConnectionLink(text: $0) }
        roundTrip(text) { try QueueAddress(text: $0) }
        roundTrip(text) { try RegisteredName(text: $0) }
        // Whatever is read from text is stored, or sent on, in bytes.
        switch try? ConnectionLink(text: text) {
        case .full(let request): roundTrip(request.encoded, ConnectionRequest.self)
        case .short(let link): roundTrip(link.encoded, ShortLink.self)
        case nil: break
        }
    }
}
