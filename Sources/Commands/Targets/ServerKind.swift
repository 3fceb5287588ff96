import AgentProtocol
import CommandKit
import Host
public import SMPProtocol

extension ValueKind where Value == ConfiguredServer {
    /// The address of a relay, perhaps with a password.
    static func server() -> ValueKind {
        ValueKind(
            ValueForm("ADDRESS", expected: "smp://FINGERPRINT@HOST[:PORT]", completing: .server),
            read: { try? ConfiguredServer(text: $0) }, write: { $0.description })
    }
}

/// A relay for messages, or one for files.
struct AnyRelay: Sendable {
    let server: ConfiguredServer
    let scheme: ServerScheme

    var text: String { server.text(scheme: scheme) }
}

extension ValueKind where Value == AnyRelay {
    /// The address of a relay of any kind.
    static func relay() -> ValueKind {
        ValueKind(
            ValueForm("ADDRESS", expected: "smp://FINGERPRINT@HOST[:PORT] or xftp://...", completing: .server),
            read: { text in
                ServerScheme.allCases.lazy.compactMap { scheme in
                    (try? ConfiguredServer(text: text, scheme: scheme)).map { AnyRelay(server: $0, scheme: scheme) }
                }.first
            }, write: { $0.text })
    }
}

extension ValueKind where Value == [AnyRelay] {
    /// The addresses of relays of any kind, separated by white space.
    static func relays() -> ValueKind {
        let one = ValueKind<AnyRelay>.relay()
        return ValueKind(
            one.form,
            read: { text in
                let words = text.split(whereSeparator: \.isWhitespace)
                let relays = words.compactMap { one.read(String($0)) }
                return relays.isEmpty || relays.count < words.count ? nil : relays
            }, write: { $0.map(one.write).joined(separator: " ") })
    }
}

extension ValueKind where Value == [AddedServer] {
    /// The addresses of relays of any kind and of chat relays, separated by white space.
    static func addedServers() -> ValueKind {
        let one = ValueKind<AnyRelay>.relay()
        return ValueKind(
            ValueForm(
                "ADDRESS", expected: "smp://FINGERPRINT@HOST[:PORT], xftp://... or https://HOST/r#KEY",
                completing: .server),
            read: { text in
                let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
                let servers = words.compactMap { word -> AddedServer? in
                    if let relay = one.read(word) { return AddedServer(relay: relay, chatRelay: nil) }
                    return (try? ShortLink(ofChatRelay: word)).map { AddedServer(relay: nil, chatRelay: $0) }
                }
                return servers.isEmpty || servers.count < words.count ? nil : servers
            },
            write: { servers in
                servers.compactMap { $0.relay.map(one.write) ?? $0.chatRelay?.description }.joined(separator: " ")
            })
    }
}

extension ValueKind where Value == TransportHost {
    /// A name or an address of a machine.
    static func host() -> ValueKind {
        ValueKind(
            ValueForm("HOST", expected: "a host name or an IP address"), read: { try? TransportHost(text: $0) },
            write: { $0.description })
    }
}

extension ServerAddress {
    /// How people name the server: its public host, with the port unless it is the usual one. What stands in a link is the
    /// whole address.
    public var place: String {
        let isPublic: (TransportHost) -> Bool = { if case .onion = $0 { false } else { true } }
        guard let host = hosts.first(where: isPublic) ?? hosts.first else { return location }
        return host.description + (port.map { ":\($0)" } ?? "")
    }
}
