import ByteCoding
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
