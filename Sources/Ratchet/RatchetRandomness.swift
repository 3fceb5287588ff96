public import CryptoCore

/// The source of new ratchet keys. Only the first message of a new chain needs one.
public protocol RatchetRandomness: Sendable {
    /// Returns a new X448 key.
    func x448PrivateKey() -> X448.PrivateKey

    /// The post-quantum KEM, used only in connections that enable it.
    var kem: any KeyEncapsulation { get }
}

/// Ratchet keys from a source of random bytes.
public struct RandomRatchetKeys: RatchetRandomness {
    private let source: any RandomSource

    /// Creates ratchet keys from `source`.
    public init(_ source: any RandomSource) {
        self.source = source
    }

    /// Returns a new X448 key.
    public func x448PrivateKey() -> X448.PrivateKey {
        X448.PrivateKey(random: source)
    }

    /// The KEM sntrup761 over the same source.
    public var kem: any KeyEncapsulation { Sntrup761Encapsulation(source) }
}
