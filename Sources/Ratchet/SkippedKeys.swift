public import ByteCoding
import CryptoCore

/// The key of a message that has not arrived although a later one has.
///
/// It is used once. A store may drop it after some weeks; the message is then lost.
public struct SkippedKey: Sendable {
    /// The key that hides the headers of the message's chain.
    public let headerKey: HeaderKey
    /// The position of the message in its chain, from 0.
    public let number: UInt32
    let messageKey: MessageKey
    /// Whether a KEM secret protects the chain of the message.
    let isPostQuantum: Bool
}

/// Stored keys of overtaken messages of one ratchet: all of them, or those that one message can need
/// (``RatchetState/skippedKeys(for:in:)``).
public struct SkippedKeys: Sendable {
    /// What decrypting a message does to the stored keys.
    public enum Change: Sendable {
        case none
        /// The message was one of them.
        case removed(SkippedKey)
        /// The message has overtaken others.
        case added([SkippedKey])

        init(adding keys: [SkippedKey]) {
            self = keys.isEmpty ? .none : .added(keys)
        }
    }

    private struct Chain: Sendable {
        let headerKey: HeaderKey
        var keys: [UInt32: SkippedKey]
    }

    // There are few chains, because the keys of one are mostly used before the next but one begins.
    private var chains: [Chain] = []

    /// No keys: the state of a new ratchet.
    public init() {}

    /// The keys that a store kept, in any order.
    public init(_ keys: some Sequence<SkippedKey>) {
        add(keys)
    }

    /// The chain to which a message belongs, and its key if that is stored.
    init(_ headerKey: HeaderKey, _ key: SkippedKey?) {
        chains = [Chain(headerKey: headerKey, keys: key.map { [$0.number: $0] } ?? [:])]
    }

    /// How many messages can still arrive late.
    public var count: Int { chains.reduce(0) { $0 + $1.keys.count } }

    /// All keys, in no particular order.
    public var all: [SkippedKey] { chains.flatMap { $0.keys.values } }

    /// Does what the decryption of a message says.
    public mutating func apply(_ change: Change) {
        switch change {
        case .none: break
        case .removed(let key): remove(key)
        case .added(let keys): add(keys)
        }
    }

    /// The header keys of the chains.
    var headerKeys: [HeaderKey] { chains.map(\.headerKey) }

    /// The key of message `number` of the chain with this header key.
    func key(_ headerKey: HeaderKey, _ number: UInt32) -> SkippedKey? {
        chains.first { $0.headerKey.isEqual(to: headerKey) }?.keys[number]
    }

    private mutating func add(_ keys: some Sequence<SkippedKey>) {
        for key in keys {
            if let index = chains.firstIndex(where: { $0.headerKey.isEqual(to: key.headerKey) }) {
                chains[index].keys[key.number] = key
            } else {
                chains.append(Chain(headerKey: key.headerKey, keys: [key.number: key]))
            }
        }
    }

    private mutating func remove(_ key: SkippedKey) {
        guard let index = chains.firstIndex(where: { $0.headerKey.isEqual(to: key.headerKey) }) else { return }
        chains[index].keys[key.number] = nil
        if chains[index].keys.isEmpty {
            chains.remove(at: index)
        }
    }
}

/// The stored keys of overtaken messages of one ratchet, read one at a time.
public protocol SkippedKeyStore {
    associatedtype Failure: Error

    /// The header keys of the chains with stored keys.
    func headerKeys() throws(Failure) -> [HeaderKey]

    /// The key of message `number` of a chain, if it is stored.
    func key(_ headerKey: HeaderKey, _ number: UInt32) throws(Failure) -> SkippedKey?
}

extension RatchetState {
    /// Returns the stored keys that decrypting a message can need: at most one key.
    ///
    /// A message of the current chain reads one key, and only if a later one was read before. The first message of a
    /// new chain reads nothing. Any other message reads the header keys of all chains with stored keys.
    ///
    /// - Throws: The error of `store`. A message that is no message needs no key.
    public func skippedKeys<Store: SkippedKeyStore>(
        for bytes: Bytes, in store: Store
    ) throws(Store.Failure) -> SkippedKeys {
        guard let message = try? RatchetMessage(bytes) else { return SkippedKeys() }
        if let receiving, let number = number(of: message.header, receiving.headerKey) {
            guard number < receiving.count else { return SkippedKeys() }
            return SkippedKeys(receiving.headerKey, try store.key(receiving.headerKey, number))
        }
        if number(of: message.header, nextReceivingHeaderKey) != nil { return SkippedKeys() }
        for headerKey in try store.headerKeys() {
            guard let number = number(of: message.header, headerKey) else { continue }
            return SkippedKeys(headerKey, try store.key(headerKey, number))
        }
        return SkippedKeys()
    }

    private func number(of header: EncryptedHeader, _ key: HeaderKey) -> UInt32? {
        (try? open(header, with: key))??.number
    }
}
