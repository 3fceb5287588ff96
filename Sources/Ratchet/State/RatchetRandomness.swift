public import CryptoCore

/// Where a ratchet takes new keys from: only a message that begins a new chain needs any.
public protocol RatchetRandomness: Sendable {
    /// A new X448 key.
    func x448PrivateKey() -> X448.PrivateKey

    /// The post-quantum KEM, or nil if this side does not speak it: then proposals of the peer are declined.
    var kem: (any KeyEncapsulation)? { get }
}

/// New keys from a source of random bytes, without a KEM.
public struct RandomRatchetKeys: RatchetRandomness {
    private let source: any RandomSource

    public init(_ source: any RandomSource) {
        self.source = source
    }

    public func x448PrivateKey() -> X448.PrivateKey {
        X448.PrivateKey(random: source)
    }

    public var kem: (any KeyEncapsulation)? { nil }
}
