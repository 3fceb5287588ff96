import ByteCoding
import CryptoCore
import JSONCoding
import Ratchet
import Store

extension OfficialRatchet {
    /// Returns the ratchet as the official programs store it.
    static func json(_ ratchet: RatchetState) -> Bytes {
        let versions = [ratchet.versions.current, ratchet.versions.maximum].map { JSONValue.integer(Int64($0)) }
        var fields = JSONObject()
        fields["rcVersion"] = .array(versions)
        fields["rcAD"] = text(ratchet.associatedData)
        let der = OfficialKey.der(of: ratchet.ratchetKey).copyBytes()
        fields["rcDHRs"] = text(Bytes(Base64URL.encode(der).utf8))
        let postQuantum = ratchet.postQuantum
        if let kem = postQuantum.kem { fields["rcKEM"] = .object(object(kem)) }
        fields["rcSupportKEM"] = .bool(postQuantum.isSupported)
        fields["rcEnableKEM"] = .bool(postQuantum.isEnabled)
        fields["rcSndKEM"] = .bool(postQuantum.isSending)
        fields["rcRcvKEM"] = .bool(postQuantum.isReceiving)
        fields["rcRK"] = text(ratchet.rootKey.secret)
        if let chain = ratchet.sending {
            var object = JSONObject()
            object["rcDHRr"] = text(chain.peerKey.der)
            object["rcCKs"] = text(chain.chainKey.secret)
            object["rcHKs"] = text(chain.headerKey.secret)
            fields["rcSnd"] = .object(object)
        }
        if let chain = ratchet.receiving {
            var object = JSONObject()
            object["rcCKr"] = text(chain.chainKey.secret)
            object["rcHKr"] = text(chain.headerKey.secret)
            fields["rcRcv"] = .object(object)
        }
        fields["rcNs"] = .integer(Int64(ratchet.sending?.count ?? 0))
        fields["rcNr"] = .integer(Int64(ratchet.receiving?.count ?? 0))
        fields["rcPN"] = .integer(Int64(ratchet.previousCount))
        fields["rcNHKs"] = text(ratchet.nextSendingHeaderKey.secret)
        fields["rcNHKr"] = text(ratchet.nextReceivingHeaderKey.secret)
        return fields.encoded
    }

    /// Of what this side has accepted, only the ciphertext is used again. The official programs keep the key of the other
    /// side and the secret beside it and need some value there; this program has forgotten both.
    private static func object(_ kem: PostQuantumState.KEM) -> JSONObject {
        var object = JSONObject()
        object["rcPQRs"] = .array([text(kem.pair.publicKey), text(kem.pair.secretKey)])
        if let ciphertext = kem.ciphertext {
            var accepted = JSONObject()
            accepted["rcPQRr"] = text(kem.pair.publicKey)
            accepted["rcPQRss"] = text(SystemRandom().bytes(32))
            accepted["rcPQRct"] = text(ciphertext)
            object["rcKEMs"] = .object(accepted)
        }
        return object
    }

    private static func text(_ bytes: Bytes) -> JSONValue { .string(Base64URL.encode(bytes)) }
    private static func text(_ secret: Secret) -> JSONValue { text(secret.copyBytes()) }

    // MARK: - Parts in columns

    /// Returns `P`, the public and the secret key behind two-byte lengths; nil without KEM.
    static func encodedPrivateKEM(_ keys: X3DHPrivateKeys) -> Secret? {
        guard case .proposed(let pair)? = keys.kem else { return nil }
        var writer = SecretWriter()
        writer.plain.uint8(UInt8(ascii: "P"))
        writer.plain.largeBytes(pair.publicKey)
        writer.plain.uint16(UInt16(truncatingIfNeeded: pair.secretKey.count))
        writer.secret(pair.secretKey)
        return writer.finish()
    }

    /// Returns the KEM parameter that a joiner shows; nil without KEM.
    static func encodedPublicKEM(_ keys: X3DHPrivateKeys) -> Bytes? {
        switch keys.kem {
        case .proposed(let pair)?: KEMParameter.proposed(publicKey: pair.publicKey).encoded
        case .accepted(let pair, let encapsulation)?:
            KEMParameter.accepted(ciphertext: encapsulation.ciphertext, publicKey: pair.publicKey).encoded
        case nil: nil
        }
    }
}

extension RatchetState {
    /// The first key that the joiner has shown: the associated data begins with it.
    var joinerKey: X448.PublicKey { X448.PublicKey(checkedRaw: Bytes(associatedData.prefix(X448.PublicKey.rawSize))) }
}
