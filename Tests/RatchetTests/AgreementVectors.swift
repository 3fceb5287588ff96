import ByteCoding
import CryptoCore
import Ratchet
import TestSupport
import Testing

/// The first agreement of the recorded conversations, on both sides.
@Suite struct AgreementVectors {
    @Test(arguments: Recordings.all)
    func agreements(recording: Vector) throws {
        let x3dh = recording["x3dh"], version = UInt16(x3dh["e2eVersion"].int)
        let initiator = try X3DHPrivateKeys(recorded: x3dh["initiator"])
        let joiner = try X3DHPrivateKeys(recorded: x3dh["joiner"])
        for (keys, side) in [(initiator, x3dh["initiator"]), (joiner, x3dh["joiner"])] {
            let raw = [keys.key1.publicKey.raw, keys.key2.publicKey.raw]
            // The public keys of joiners are recorded in their parameters only.
            guard let recorded = side.field("publicKey1") else { continue }
            #expect(raw == [recorded.bytes, side["publicKey2"].bytes])
        }
        let secrets = [(initiator.key1, joiner.key2), (initiator.key2, joiner.key1), (initiator.key2, joiner.key2)]
        let names = ["dh1_initiatorKey1_joinerKey2", "dh2_initiatorKey2_joinerKey1", "dh3_initiatorKey2_joinerKey2"]
        for ((one, other), name) in zip(secrets, names) {
            #expect(try one.agree(with: other.publicKey).copyBytes() == x3dh["dhSecrets"][name].bytes)
            #expect(try other.agree(with: one.publicKey).copyBytes() == x3dh["dhSecrets"][name].bytes)
        }
        for result in ["initiatorResult", "joinerResult"] {
            let recorded = x3dh[result], isJoiner = result == "joinerResult"
            // Before version 3 a KEM takes no part.
            let kemSecret = recorded.field("kemSharedSecret").map { Secret(copying: $0.bytes) }
            let agreed =
                isJoiner
                ? try X3DH(joiner: joiner, initiator: initiator.parameters(for: version), kemSecret: kemSecret)
                : try X3DH(initiator: initiator, joiner: joiner.parameters(for: version), kemSecret: kemSecret)
            #expect(agreed.associatedData == recorded["associatedData"].bytes)
            #expect(agreed.rootKey.secret.copyBytes() == recorded["ratchetKey"].bytes)
            #expect(agreed.joinerHeaderKey.secret.copyBytes() == recorded["senderHeaderKey"].bytes)
            #expect(agreed.initiatorHeaderKey.secret.copyBytes() == recorded["receiverNextHeaderKey"].bytes)
        }
    }
}
