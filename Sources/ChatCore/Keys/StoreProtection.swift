import ByteCoding
import CryptoCore
import PageCipher
import Store
public import SystemIO

/// How a store is encrypted, and what opens it: what the headers of its databases say to everybody.
public struct StoreProtection: Hashable, Sendable {
    /// What one of the keys of a store is.
    public enum Way: Hashable, Sendable {
        case keyFile
        /// With what it costs to try one, once: memory in bytes, and passes over it.
        case passphrase(memory: Int, passes: Int)
    }

    let header: FileHeader

    /// Looks at the chat database; nil if it is not encrypted.
    ///
    /// - Throws: ``ChatError/database(_:)`` for a file that is neither, or whose header is damaged, and for an empty one.
    public init?(of folder: StoreFolder) throws(ChatError) {
        try folder.checkNotEmpty()
        do throws(CipherError) {
            guard let header = try FileHeader.read(folder.chatDatabase) else { return nil }
            self.header = header
        } catch {
            throw ChatError(error)
        }
    }

    /// Tells the store from all others, also after it was moved.
    public var id: String { header.id }

    public var ways: [Way] {
        header.slots.slots.filter { !$0.isLeaving }.map { slot in
            switch slot.kind {
            case .keyFile: .keyFile
            case .passphrase(let cost): .passphrase(memory: Int(cost.memory) * 1024, passes: Int(cost.passes))
            }
        }
    }

    /// Whether a key file is one of the keys: then trying one costs nothing.
    public var hasKeyFile: Bool { ways.contains(.keyFile) }

    /// Opens the store. Blocks while Argon2id works, if a passphrase is one of the keys.
    ///
    /// - Throws: ``ChatError/database(_:)`` with ``DatabaseProblem/wrongKey``.
    public func open(with given: GivenKey) throws(ChatError) -> OpenedKey {
        for credential in given.attempts(for: header.slots) {
            do throws(CipherError) {
                let (key, slot) = try header.slots.unlock(with: credential)
                return OpenedKey(key: key, slots: header.slots, slot: slot)
            } catch .wrongKey {
                continue
            } catch {
                throw ChatError(error)
            }
        }
        throw .database(.wrongKey)
    }

    /// Opens the store with the key of another one.
    ///
    /// - Throws: ``ChatError/database(_:)`` with ``DatabaseProblem/wrongKey`` if it has a key of its own.
    func open(withKeyOf other: OpenedKey?) throws(ChatError) -> OpenedKey {
        guard let other, header.belongs(to: other.key) else { throw .database(.wrongKey) }
        return OpenedKey(key: other.key, slots: header.slots, slot: nil)
    }

    // MARK: - The key that was kept

    /// What the key is called in the kernel keyring.
    private var name: String { "tacit store \(id)" }

    /// The key that ``keep(_:for:)`` kept, if it is still there and opens the store.
    public func keptKey() -> OpenedKey? {
        let secret = KernelKeyring.withSecret(name) { bytes in Secret(copying: bytes) }
        guard let secret, let key = StoreKey(secret) else { return nil }
        return header.belongs(to: key) ? OpenedKey(key: key, slots: header.slots, slot: nil) : nil
    }

    /// Keeps the key in the memory of the kernel, for this user, for a time.
    public func keep(_ opened: OpenedKey, for duration: Duration) throws(SystemError) {
        try unsafe opened.key.secret.withUnsafeBytes { bytes throws(SystemError) in
            try unsafe KernelKeyring.keep(bytes, as: name, for: duration)
        }
    }

    /// Forgets the key; returns whether one was kept.
    @discardableResult
    public func forgetKey() -> Bool { KernelKeyring.forget(name) }
}

/// A key that opened a store.
public struct OpenedKey: Sendable {
    let key: StoreKey
    let slots: KeySlots
    /// The slot that what was given belongs to; nil if the key itself was kept.
    let slot: KeySlot.ID?
}

extension ChatError {
    init(_ error: CipherError) {
        self = ChatError(StoreError(error))
    }
}
