import ByteCoding
import CryptoCore
import JSONCoding
import Ratchet
import Store

/// Ratchets as the official programs store them: JSON, in which keys are base64url and private keys are encoded twice.
enum OfficialRatchet {
    /// The largest size of a ratchet in bytes: keys and a ciphertext of the KEM in base64url, twice as much as needed.
    private static let limit = 32 << 10

    /// Reads a ratchet.
    ///
    /// - Throws: ``StoreError/Code/damaged``.
    static func ratchet(_ json: Bytes) throws(StoreError) -> RatchetState {
        guard json.count <= limit else { throw StoreError(.damaged) }
        do throws(DecodeError) {
            var fields = try JSONFields(decoding: json)
            return try ratchet(&fields)
        } catch {
            throw StoreError(.damaged)
        }
    }

    private static func ratchet(_ fields: inout JSONFields) throws(DecodeError) -> RatchetState {
        let versions = try versions(&fields)
        let sentCount: UInt32 = try fields.number("rcNs"), receivedCount: UInt32 = try fields.number("rcNr")
        var sending: SendingChain?
        if var chain = try fields.optionalObject("rcSnd") {
            let peerKey = try X448.PublicKey(der: try Base64URL.decode(try chain.text("rcDHRr")))
            sending = try SendingChain(
                storedChainKey: try key(&chain, "rcCKs"), headerKey: try key(&chain, "rcHKs"), peerKey: peerKey,
                count: sentCount)
        }
        var receiving: ReceivingChain?
        if var chain = try fields.optionalObject("rcRcv") {
            receiving = try ReceivingChain(
                storedChainKey: try key(&chain, "rcCKr"), headerKey: try key(&chain, "rcHKr"), count: receivedCount)
        }
        let kem = try kem(&fields)
        let postQuantum = try PostQuantumState(
            pair: kem?.pair, ciphertext: kem?.ciphertext, isSupported: try fields.optionalBool("rcSupportKEM") ?? false,
            isEnabled: try fields.optionalBool("rcEnableKEM") ?? false,
            isSending: try fields.optionalBool("rcSndKEM") ?? false,
            isReceiving: try fields.optionalBool("rcRcvKEM") ?? false)
        return try RatchetState(
            associatedData: try Base64URL.decode(try fields.text("rcAD")), version: versions.current,
            maximumVersion: versions.maximum, ratchetKey: try privateKey(&fields), rootKey: try key(&fields, "rcRK"),
            sending: sending, receiving: receiving, nextSendingHeaderKey: try key(&fields, "rcNHKs"),
            nextReceivingHeaderKey: try key(&fields, "rcNHKr"), previousCount: try fields.number("rcPN"),
            postQuantum: postQuantum)
    }

    /// Reads an array of two numbers, or an object.
    private static func versions(
        _ fields: inout JSONFields
    ) throws(DecodeError) -> (current: UInt16, maximum: UInt16) {
        let numbers: [JSONValue?] =
            switch fields.value("rcVersion") {
            case .array(let numbers)?: numbers
            case .object(let object)?: [object["current"], object["maxSupported"]]
            default: []
            }
        let versions = numbers.compactMap { $0?.integer.flatMap { UInt16(exactly: $0) } }
        guard versions.count == 2, numbers.count == 2, RatchetVersion.supported.contains(versions[0]) else {
            throw .invalid("ratchet version")
        }
        return (versions[0], versions[1])
    }

    private static func kem(
        _ fields: inout JSONFields
    ) throws(DecodeError) -> (pair: KEMKeyPair, ciphertext: Bytes?)? {
        guard var kem = try fields.optionalObject("rcKEM") else { return nil }
        let pair = try kem.elements("rcPQRs").map(\.string)
        guard pair.count == 2, let publicKey = pair[0], let secretKey = pair[1] else { throw .invalid("KEM key") }
        var accepted = try kem.optionalObject("rcKEMs")
        let ciphertext = try accepted?.text("rcPQRct").decodedBase64URL
        guard ciphertext.map({ $0.count == Sntrup761.ciphertextSize }) ?? true else { throw .invalid("KEM ciphertext") }
        return (try self.pair(try Base64URL.decode(publicKey), try Base64URL.decode(secretKey)), ciphertext)
    }

    private static func pair(_ publicKey: Bytes, _ secretKey: Bytes) throws(DecodeError) -> KEMKeyPair {
        let secret = Secret(copying: secretKey)
        guard publicKey.count == Sntrup761.publicKeySize, secret.count == Sntrup761.secretKeySize else {
            throw .invalid("KEM key")
        }
        return KEMKeyPair(publicKey: publicKey, secretKey: secret)
    }

    private static func key(_ fields: inout JSONFields, _ name: StaticText) throws(DecodeError) -> Secret {
        Secret(copying: try Base64URL.decode(try fields.text(name)))
    }

    private static func privateKey(_ fields: inout JSONFields) throws(DecodeError) -> X448.PrivateKey {
        let inner = try Base64URL.decode(try fields.text("rcDHRs"))
        guard let text = String(validating: inner, as: UTF8.self) else { throw .invalid("private key") }
        let der = Secret(copying: try Base64URL.decode(text))
        do throws(StoreError) { return try OfficialKey.x448(der) } catch { throw .invalid("private key") }
    }

    // MARK: - Parts in columns

    /// Reads the private keys of a link, or of a ratchet synchronisation.
    static func privateKeys(key1: Secret, key2: Secret, kem: Bytes?) throws(StoreError) -> X3DHPrivateKeys {
        X3DHPrivateKeys(
            key1: try OfficialKey.x448(key1), key2: try OfficialKey.x448(key2),
            kem: try kem.map { bytes throws(StoreError) in .proposed(try proposedPair(bytes)) })
    }

    /// Reads `P`, the public and the secret key behind two-byte lengths.
    private static func proposedPair(_ bytes: Bytes) throws(StoreError) -> KEMKeyPair {
        do throws(DecodeError) {
            var reader = ByteReader(bytes)
            guard try reader.uint8() == UInt8(ascii: "P") else { throw .invalid("KEM key") }
            let publicKey = try reader.largeBytes(), secretKey = try reader.largeBytes()
            try reader.finish()
            return try pair(publicKey, secretKey)
        } catch {
            throw StoreError(.damaged)
        }
    }

    /// Reads the key of a skipped message: a key behind its length, and 16 bytes of IV.
    static func skippedKey(
        headerKey: Secret, number: Int64, key: Bytes, isPostQuantum: Bool
    ) throws(StoreError) -> SkippedKey {
        do throws(DecodeError) {
            var reader = ByteReader(key)
            let secret = Secret(copying: try reader.shortBytes()), iv = reader.rest()
            guard let number = UInt32(exactly: number) else { throw .invalid("message number") }
            return try SkippedKey(
                headerKey: headerKey, number: number, messageKey: secret, iv: iv, isPostQuantum: isPostQuantum)
        } catch {
            throw StoreError(.damaged)
        }
    }

    /// Reads a message that is not encrypted yet: version, associated data, key and IV, header.
    static func pendingMessage(_ bytes: Bytes) throws(StoreError) -> PendingMessage {
        do throws(DecodeError) {
            var reader = ByteReader(bytes)
            _ = try reader.uint16()
            let associatedData = try reader.shortBytes(), key = Secret(copying: try reader.shortBytes())
            let iv = try reader.shortBytes(), header = try reader.largeBytes()
            try reader.finish()
            return try PendingMessage(associatedData: associatedData, key: key, iv: iv, header: header)
        } catch {
            throw StoreError(.damaged)
        }
    }
}

extension String {
    fileprivate var decodedBase64URL: Bytes {
        get throws(DecodeError) { try Base64URL.decode(self) }
    }
}
