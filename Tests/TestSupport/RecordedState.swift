import CryptoCore
public import Ratchet
import Testing

extension RatchetState {
    /// Compares every field with a recorded state.
    public func expect(skipped: Int = 0, toBe recorded: Vector) {
        #expect(versions.current == recorded["versionCurrent"].int)
        #expect(versions.maximum == recorded["versionMax"].int)
        #expect(ratchetKey.publicKey.raw == recorded["dhPublicKey"].bytes)
        #expect(rootKey.secret.copyBytes() == recorded["rootKey"].bytes)
        #expect((sending?.count ?? 0) == recorded["ns"].int)
        #expect((receiving?.count ?? 0) == recorded["nr"].int)
        #expect(previousCount == recorded["pn"].int)
        #expect(nextSendingHeaderKey.secret.copyBytes() == recorded["nextHeaderKeySend"].bytes)
        #expect(nextReceivingHeaderKey.secret.copyBytes() == recorded["nextHeaderKeyReceive"].bytes)
        #expect(sending?.peerKey.raw == recorded.field("send")?["peerDhPublicKey"].bytes)
        #expect(sending?.chainKey.secret.copyBytes() == recorded.field("send")?["chainKey"].bytes)
        #expect(sending?.headerKey.secret.copyBytes() == recorded.field("send")?["headerKey"].bytes)
        #expect(receiving?.chainKey.secret.copyBytes() == recorded.field("receive")?["chainKey"].bytes)
        #expect(receiving?.headerKey.secret.copyBytes() == recorded.field("receive")?["headerKey"].bytes)
        #expect(skipped == recorded["skippedKeys"].int)
        #expect(postQuantum.isSupported == recorded["supportKEM"].bool)
        #expect(postQuantum.isEnabled == recorded["enableKEM"].bool)
        #expect(postQuantum.isSending == recorded["sndKEM"].bool)
        #expect(postQuantum.isReceiving == recorded["rcvKEM"].bool)
        let kem = postQuantum.kem
        #expect(kem.map { SHA256.hash($0.pair.publicKey) } == recorded.field("kem")?["publicKeySha256"].bytes)
        // The initiator's copy of the joiner's ciphertext, which the reference keeps and never uses, is not kept here.
        if sending != nil {
            #expect((kem?.ciphertext != nil) == (recorded.field("kem")?["accepted"].bool ?? false))
        }
    }
}
