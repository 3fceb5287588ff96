public import ByteCoding
import CryptoCore

/// The key of a missing message that a later one overtook (smp-agent.md 8.7).
///
/// The key is used once. A store may delete it after some weeks; the message is then lost.
public struct SkippedKey: Sendable {
    /// The key that encrypts the headers of the message's chain.
    public let headerKey: HeaderKey
    /// The position of the message in its chain, from 0.
    public let number: UInt32
    let messageKey: MessageKey
    /// True if a KEM secret protects the message's chain.
    let isPostQuantum: Bool
}

/// The stored keys of overtaken messages of one ratchet: all, or those that one message can need
/// (``RatchetState/skippedKeys(for:in:)``).
public struct SkippedKeys: Sendable {
    /// The changes that decrypting one message makes to the stored keys.
    public enum Change: Sendable {
        /// No change.
        case none
        /// The message was an overtaken one; its key is deleted.
        case removed(SkippedKey)
        /// The message overtook others; their keys are added.
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

    /// Creates an empty collection, the state of a new ratchet.
    public init() {}

    /// Creates a collection of stored keys, in any order.
    public init(_ keys: some Sequence<SkippedKey>) {
        add(keys)
    }

    /// Creates a collection with one chain and its key, if the key is stored.
    init(_ headerKey: HeaderKey, _ key: SkippedKey?) {
        chains = [Chain(headerKey: headerKey, keys: key.map { [$0.number: $0] } ?? [:])]
    }

    /// The number of keys.
    public var count: Int { chains.reduce(0) { $0 + $1.keys.count } }

    /// All keys, in no order.
    public var all: [SkippedKey] { chains.flatMap { $0.keys.values } }

    /// Applies the changes of a decrypted message.
    public mutating func apply(_ change: Change) {
        switch change {
        case .none: break
        case .removed(let key): remove(key)
        case .added(let keys): add(keys)
        }
    }

    /// The header keys of all chains.
    var headerKeys: [HeaderKey] { chains.map(\.headerKey) }

    /// Returns the key of message `number` in the chain of this header key.
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

/// A store of skipped keys of one ratchet, read one at a time.
public protocol SkippedKeyStore {
    /// The error of the store.
    associatedtype Failure: Error

    /// Returns the header keys of all chains with stored keys.
    func headerKeys() throws(Failure) -> [HeaderKey]

    /// Returns the stored key of message `number` of a chain, or nil.
    func key(_ headerKey: HeaderKey, _ number: UInt32) throws(Failure) -> SkippedKey?
}

extension RatchetState {
    /// Returns the stored keys that decrypting a message can need: at most one key.
    ///
    /// A message of the current chain reads one key, and only if a later message was received before. The first message
    /// of a new chain reads none. Any other message reads the header keys of all chains.
    ///
    /// - Throws: The error of `store`. Malformed bytes need no key and cause no error.
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
