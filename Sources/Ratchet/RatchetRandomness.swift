public import CryptoCore

/// Where a ratchet takes new keys from: only a message that begins a new chain needs any.
public protocol RatchetRandomness: Sendable {
    /// A new X448 key.
    func x448PrivateKey() -> X448.PrivateKey

    /// The post-quantum KEM, which is asked only in connections that use it.
    var kem: any KeyEncapsulation { get }
}

/// New keys from a source of random bytes.
public struct RandomRatchetKeys: RatchetRandomness {
    private let source: any RandomSource

    public init(_ source: any RandomSource) {
        self.source = source
    }

    public func x448PrivateKey() -> X448.PrivateKey {
        X448.PrivateKey(random: source)
    }

    public var kem: any KeyEncapsulation { Sntrup761Encapsulation(source) }
}
