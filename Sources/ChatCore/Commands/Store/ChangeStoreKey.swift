public import ByteCoding
import CryptoCore
public import JSONCoding
import SystemIO

/// Encrypts the store, decrypts it, or changes its key. (`/_db encryption {"currentKey":"","newKey":"KEY"}`, `/db encrypt KEY`,
/// `/db key OLD NEW`, `/db decrypt KEY`)
///
/// The chat must be stopped, and this core runs no further command.
public struct ChangeStoreKey: ChatCommand {
    public var keys: StoreKeys

    public init(_ keys: StoreKeys) {
        self.keys = keys
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_db encryption", .json(\.keys), make: Self.init),
        Form("/db encrypt", word, make: { Self(StoreKeys(current: nil, new: $0)) }),
        Form("/db key", word, word, make: { Self(StoreKeys(current: $0, new: $1)) }),
        Form("/db decrypt", word, make: { Self(StoreKeys(current: $0, new: nil)) }))

    /// A key without spaces. The first form prints all keys.
    private static let word = Argument<Self, PlainPassword>(
        read: { reader throws(DecodeError) in
            let word = reader.word()
            guard !word.isEmpty else { throw .invalid("key") }
            return PlainPassword(word)
        }, write: { _ in nil })

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let keys = keys
        guard keys.current != nil || keys.new != nil else { throw ChatError.storeKey(.notEncrypted) }
        try await core.replaceStore { folder, _ in
            let opened = try StoreKeys.open(folder, with: keys.current)
            switch (opened, keys.new?.given) {
            case (nil, let given?): try StoreConversion.encrypt(folder, for: given)
            case (let opened?, let given?): try KeyChange.run(folder, from: opened, to: given)
            case (let opened?, nil): try StoreConversion.decrypt(folder, with: opened)
            case (nil, nil): throw ChatError.storeKey(.notEncrypted)
            }
        }
        return CommandOK()
    }
}

/// Checks whether a key opens the store. (`/db test key KEY`)
public struct TestStoreKey: ChatCommand {
    public var key: PlainPassword

    public init(_ key: PlainPassword) {
        self.key = key
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/db test key", word, make: { Self($0 ?? PlainPassword("")) }))

    private static let word = Argument<Self, PlainPassword?>.password { .some($0.key) }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let key = key, folder = core.folder
        try await core.aside { _ = try StoreKeys.open(folder, with: key) }
        return CommandOK()
    }
}

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
    fileprivate var given: GivenKey? { GivenKey(Secret(copying: Bytes(text.utf8))) }
}
