public import ByteCoding
public import CryptoCore

extension X3DHPrivateKeys {
    /// The keys for a store: 226 bytes, and up to 4,001 more with a KEM.
    public func stored() -> Secret {
        var writer = SecretWriter()
        writer.plain.uint8(StorageFormat.current)
        writer.privateKey(key1)
        writer.privateKey(key2)
        writer.optional(kem) { writer, kem in
            writer.keyPair(kem.pair)
            writer.optional(kem.encapsulation) { writer, encapsulation in
                writer.plain.largeBytes(encapsulation.ciphertext)
                writer.largeSecret(encapsulation.secret)
            }
        }
        return writer.finish()
    }

    /// Reads stored keys.
    public init(stored: Secret) throws(DecodeError) {
        var reader = SecretReader(stored)
        try StorageFormat.check(&reader)
        key1 = try reader.privateKey()
        key2 = try reader.privateKey()
        kem = try reader.optional { reader throws(DecodeError) in
            let pair = try reader.keyPair()
            let encapsulation: Encapsulation? = try reader.optional { reader throws(DecodeError) in
                let ciphertext = try reader.largeBytes()
                return Encapsulation(ciphertext: ciphertext, secret: try reader.largeSecret())
            }
            return encapsulation.map { .accepted(pair, $0) } ?? .proposed(pair)
        }
        try reader.finish()
    }
}
