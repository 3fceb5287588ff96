public import ByteCoding

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
        guard let message = try? EncryptedMessage(bytes) else { return SkippedKeys() }
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
