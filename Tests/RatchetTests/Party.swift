import ByteCoding
import CryptoCore
import Ratchet

/// One side of a conversation in a test: a state, its skipped keys, and where new keys come from.
struct Party: Sendable {
    var state: RatchetState
    var skipped = SkippedKeys()
    let random: any RatchetRandomness
    /// Whether a KEM secret protected the message that was read last.
    private(set) var readPostQuantum = false

    init(state: RatchetState, random: any RatchetRandomness) {
        self.state = state
        self.random = random
    }

    /// Encrypts `text`, padded to 100 bytes, and goes to the next state.
    mutating func send(_ text: String, postQuantum: Bool? = nil) throws(RatchetError) -> Bytes {
        let sealed = try state.encrypting(Bytes(text.utf8), paddedSize: 100, postQuantum: postQuantum)
        state = sealed.state
        return sealed.message
    }

    /// Encrypts `count` messages.
    mutating func send(count: Int) throws(RatchetError) -> [Bytes] {
        var messages: [Bytes] = []
        for number in 0..<count {
            messages.append(try send("\(number)"))
        }
        return messages
    }

    /// Decrypts a message and goes to the next state; after an error the party is as it was.
    mutating func read(_ message: Bytes) throws(RatchetError) -> String {
        let needed = state.skippedKeys(for: message, in: SkippedKeyArray(skipped))
        let opened = try state.decrypting(message, skipped: needed, random: random)
        state = opened.state
        skipped.apply(opened.skipped)
        readPostQuantum = opened.isPostQuantum
        return String(decoding: opened.message, as: UTF8.self)
    }

    /// Goes through the storage encoding.
    mutating func reload() throws(DecodeError) {
        state = try RatchetState(stored: state.stored())
        var keys: [SkippedKey] = []
        for key in skipped.all {
            keys.append(try SkippedKey(stored: key.stored()))
        }
        skipped = SkippedKeys(keys)
    }
}

/// All skipped keys of a party, as a store that is asked for one at a time.
struct SkippedKeyArray: SkippedKeyStore {
    private let keys: [SkippedKey]

    init(_ keys: SkippedKeys) {
        self.keys = keys.all
    }

    func headerKeys() -> [HeaderKey] {
        keys.reduce(into: []) { known, key in
            if !known.contains(where: { $0.secret.isEqual(to: key.headerKey.secret) }) { known.append(key.headerKey) }
        }
    }

    func key(_ headerKey: HeaderKey, _ number: UInt32) -> SkippedKey? {
        keys.first { $0.number == number && $0.headerKey.secret.isEqual(to: headerKey.secret) }
    }
}
