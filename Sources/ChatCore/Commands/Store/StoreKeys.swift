public import ByteCoding
import CryptoCore
public import JSONCoding
import SystemIO

/// `DBEncryptionConfig` of the API. A key is nil where the store is in clear.
public struct StoreKeys: Hashable, Sendable, JSONObjectCodable {
    public var current: PlainPassword?
    public var new: PlainPassword?

    public init(current: PlainPassword?, new: PlainPassword?) {
        self.current = current
        self.new = new
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            current: StoreKeys.key(try fields.text("currentKey")), new: StoreKeys.key(try fields.text("newKey")))
        // Official programs may keep the key for the next start; this one never does.
        _ = try fields.optionalBool("keepKey")
    }

    private static func key(_ text: String) -> PlainPassword? { text.isEmpty ? nil : PlainPassword(text) }

    public var fields: JSONObject {
        ["currentKey": .string(current?.text ?? ""), "newKey": .string(new?.text ?? "")]
    }

    /// Opens a store with a key; nil for one in clear, which needs none. Blocks while a passphrase is worked out.
    static func open(_ folder: StoreFolder, with key: PlainPassword?) throws(ChatError) -> OpenedKey? {
        guard let protection = try StoreProtection(of: folder) else {
            guard key == nil else { throw .storeKey(.notEncrypted) }
            return nil
        }
        guard let given = key?.given else { throw .storeKey(.encrypted) }
        do {
            return try protection.open(with: given)
        } catch .database(.wrongKey) {
            throw .storeKey(.wrong)
        } catch {
            throw error
        }
    }
}

extension PlainPassword {
    /// The key of a store; nil for an empty one.
    var given: GivenKey? { GivenKey(Secret(copying: Bytes(text.utf8))) }
}
