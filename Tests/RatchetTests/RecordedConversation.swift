import ByteCoding
import CryptoCore
import Ratchet
import TestSupport
import Testing

/// Replays a recorded conversation step by step and compares everything that was recorded.
///
/// Between any two steps both sides go through their storage encoding.
struct RecordedConversation {
    private struct Party {
        var state: RatchetState
        var skipped = SkippedKeys()

        mutating func go(to state: RatchetState, _ change: SkippedKeys.Change) {
            self.state = state
            skipped.apply(change)
        }

        mutating func reload() throws {
            state = try RatchetState(stored: state.stored())
            skipped = SkippedKeys(try skipped.all.map { try SkippedKey(stored: $0.stored()) })
        }
    }

    private var parties: [String: Party]
    private var messages: [String: Bytes] = [:]
    private let steps: [Vector]

    init(_ recording: Vector) throws {
        let x3dh = recording["x3dh"], joiner = x3dh["joiner"], initiator = x3dh["initiator"]
        steps = recording["steps"].list
        let offer = try RatchetOffer(decoding: initiator["paramsUriBinary"].bytes)
        let bob = try RatchetState.joiner(
            own: X3DHPrivateKeys(recorded: joiner), peer: offer.parameters(for: UInt16(x3dh["e2eVersion"].int)),
            maximumVersion: UInt16(x3dh["joinerVersions"]["max"].int), random: RecordedKeys(ratchetKeyOf: joiner))
        let alice = try RatchetState.initiator(
            own: X3DHPrivateKeys(recorded: initiator), peer: RatchetParameters(decoding: joiner["params"].bytes),
            maximumVersion: UInt16(x3dh["initiatorVersions"]["max"].int),
            isPostQuantum: x3dh["initiatorPqSupport"].bool, random: RecordedKeys([]))
        parties = ["alice": Party(state: alice), "bob": Party(state: bob)]
        alice.expect(toBe: x3dh["aliceState"])
        bob.expect(toBe: x3dh["bobState"])
    }

    /// Replays all steps, and returns how many there were.
    mutating func replay() throws -> Int {
        for step in steps {
            switch step["op"].text {
            case "encrypt": try encrypt(step)
            case "encryptAndLose": try encryptAndLose(step)
            case "decrypt": try decrypt(step)
            case "modify": messages[step["message"].text] = step["ciphertext"].bytes
            case "upgradeSoftware":
                let state = try party(step).state
                parties[step["by"].text]?.state = state.supporting(UInt16(step["maxVersion"].int))
            default: Issue.record("unknown step \(step["op"])")
            }
            try parties[step.field("by")?.text ?? ""]?.reload()
        }
        return steps.count
    }

    private func party(_ step: Vector) throws -> Party {
        try #require(parties[step["by"].text])
    }

    // MARK: - Sending

    private mutating func encrypt(_ step: Vector) throws {
        let old = try party(step), size = step["paddedLen"].int
        let plain = step.field("plain")?.bytes ?? Bytes(repeating: 0x61, count: step["plainLength"].int)
        let setting = step.field("pq").map { $0.text == "on" }
        if let error = step.field("error")?.text {
            #expect(throws: error == "CERatchetState" ? RatchetError.notReady : .messageTooLarge) {
                _ = try old.state.encrypting(plain, paddedSize: size, postQuantum: setting)
            }
            return
        }
        let prepared = try old.state.preparing(postQuantum: setting)
        let key = prepared.key
        #expect(key.secret.copyBytes() == step["messageKey"].bytes)
        #expect(key.iv == step["messageIv"].bytes)
        let sealed = try prepared.seal(plain, paddedSize: size)
        if let digest = step.field("ciphertextDigest").map(LongBytes.init) {
            #expect(sealed.count == digest.length && SHA256.hash(sealed) == digest.sha256)
        } else {
            #expect(sealed == step["ciphertext"].bytes, "step \(step["step"])")
        }
        let atOnce = try old.state.encrypting(plain, paddedSize: size, postQuantum: setting)
        #expect(atOnce.message == sealed)
        atOnce.state.expect(skipped: old.skipped.count, toBe: step["state"])
        messages[step["message"].text] = sealed
        parties[step["by"].text]?.state = atOnce.state
    }

    private mutating func encryptAndLose(_ step: Vector) throws {
        var state = try party(step).state
        for _ in 0..<step["count"].int {
            state = try state.encrypting(step["plain"].bytes, paddedSize: 100).state
        }
        parties[step["by"].text]?.state = state
    }

    // MARK: - Receiving

    private mutating func decrypt(_ step: Vector) throws {
        let old = try party(step), message = try #require(messages[step["message"].text])
        let random = RecordedKeys(step.field("randomUsed")?.list ?? [])
        let skipped = old.state.skippedKeys(for: message, in: SkippedKeyArray(old.skipped))
        if let expected = step.field("error")?.text {
            let result = Result { () throws(RatchetError) in
                try old.state.decrypting(message, skipped: skipped, random: random)
            }
            guard case .failure(let error) = result else {
                Issue.record("step \(step["step"]) was decrypted")
                return
            }
            #expect(error.matches(expected), "step \(step["step"]): \(error), not \(expected)")
            // The reference keeps the state behind the header of a message whose body is damaged.
            if error == .bodyNotAuthentic {
                let kept = try old.state.openingHeader(of: message, skipped: skipped, random: random)
                parties[step["by"].text]?.go(to: kept.state, kept.skipped)
            }
            let new = try party(step)
            if let state = step.field("state") { new.state.expect(skipped: new.skipped.count, toBe: state) }
        } else {
            let opened = try old.state.decrypting(message, skipped: skipped, random: random)
            parties[step["by"].text]?.go(to: opened.state, opened.skipped)
            if let plain = step.field("plain") {
                #expect(opened.message == plain.bytes)
            } else {
                #expect(opened.message.count == step["plainLength"].int)
                #expect(SHA256.hash(opened.message) == step["plainSha256"].bytes)
            }
            #expect(opened.isAdvance == step["ratchetAdvanced"].bool)
            let new = try party(step)
            new.state.expect(skipped: new.skipped.count, toBe: step["state"])
        }
        #expect(random.remaining == 0)
    }
}

extension RatchetError {
    /// Whether this is the error of that name in the recordings.
    fileprivate func matches(_ recorded: String) -> Bool {
        switch self {
        case .malformed: recorded.hasPrefix("CryptoHeaderError")
        case .headerNotAuthentic: recorded == "CERatchetHeader"
        case .duplicate: recorded == "CERatchetDuplicateMessage"
        case .earlier(let count): recorded == "CERatchetEarlierMessage \(count)"
        case .tooManySkipped(let count): recorded == "CERatchetTooManySkipped \(count)"
        case .bodyNotAuthentic: recorded == "AESDecryptError"
        default: false
        }
    }
}
