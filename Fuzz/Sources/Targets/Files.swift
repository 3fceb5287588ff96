import ByteCoding
import CryptoCore
import Relay
import SecureTransport

extension FuzzTarget {
    /// The settings file of a relay.
    static let settings = FuzzTarget(name: "settings") { input in
        roundTrip(
            input, { try RelaySettings.read(String(decoding: $0, as: UTF8.self)).settings },
            {
                let fingerprint = Base64URL.encode(Bytes(repeating: 1, count: 32))
                return Bytes("\($0.text)fingerprint = \(fingerprint)\n".utf8)
            })
    }

    /// Certificates of a server, in the form of a hello: a list of pieces with their lengths. And key files.
    static let certificates = FuzzTarget(name: "certificates") { input in
        var reader = ByteReader(input)
        let chain = try? reader.list { reader throws(DecodeError) in try reader.largeBytes() }
        if let chain, chain.count > 1 {
            _ = try? CertificateChain(chain).verify(fingerprint: SHA256.hash(chain[1]))
        }
        _ = try? CertificateChain([input, input]).verify(fingerprint: SHA256.hash(input))
        if let key = try? Ed25519.PrivateKey(der: input) {
            promise(key.der == input, "a private key has another encoding")
        }
        let text = String(decoding: input, as: UTF8.self)
        roundTrip(
            Bytes(text.utf8), { try PEM.decode(String(decoding: $0, as: UTF8.self), label: "CERTIFICATE") },
            { Bytes(PEM.encode($0, label: "CERTIFICATE").utf8) })
    }
}
