public import ByteCoding
import CryptoCore
public import Testing

/// Damages encoded input in every small way and checks that no damage goes unnoticed or traps.
public enum Damage {
    /// Every proper prefix of `input`, and `input` with each byte changed.
    ///
    /// Short inputs get nine changes of every byte (each bit, and all bits), long ones a single bit.
    public static func variants(of input: Bytes) -> [Bytes] {
        var variants: [Bytes] = []
        forEachVariant(of: input) { variant, _ in variants.append(variant) }
        return variants
    }

    /// Calls `body` with one variant after the other, and with the position that was changed; a prefix has none.
    private static func forEachVariant(of input: Bytes, _ body: (Bytes, Int?) -> Void) {
        let masks: [UInt8] = input.count <= 600 ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [1]
        for count in input.indices { body(Bytes(input.prefix(count)), nil) }
        var changed = input
        for index in input.indices {
            for mask in masks {
                changed[index] = input[index] ^ mask
                body(changed, index)
            }
            changed[index] = input[index]
        }
    }

    /// Decodes `input` and every damaged variant of it: each variant must be refused or mean something else.
    ///
    /// `ignoring` names the positions that the format ignores (padding, for instance).
    public static func check<Value: Equatable>(
        _ input: Bytes, ignoring: Set<Int> = [], sourceLocation: SourceLocation = #_sourceLocation,
        decode: (Bytes) throws -> Value
    ) {
        guard let original = try? decode(input) else { return }
        var unnoticed: Bytes?
        forEachVariant(of: input) { variant, position in
            if unnoticed != nil || position.map(ignoring.contains) == true { return }
            if (try? decode(variant)) == original { unnoticed = variant }
        }
        if let unnoticed {
            Issue.record("a damaged input reads the same: \(Hex.encode(unnoticed))", sourceLocation: sourceLocation)
        }
    }

    /// Where the public keys in `input` count their unused bits, which no reader compares: the last byte of each header.
    public static func unusedBits(in input: Bytes) -> Set<Int> {
        let headers = [
            X25519.PublicKey.derHeader, Ed25519.PublicKey.derHeader, X448.PublicKey.derHeader,
            Ed448.PublicKey.derHeader,
        ]
        return Set(
            headers.flatMap { header in
                input.indices.filter { input[$0...].starts(with: header) }.map { $0 + header.count - 1 }
            })
    }

    /// Decodes every damaged variant and only requires that decoding ends.
    public static func survive(_ input: Bytes, decode: (Bytes) throws -> Void) {
        forEachVariant(of: input) { variant, _ in try? decode(variant) }
    }
}
