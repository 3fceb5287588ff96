public import ByteCoding
internal import CSodium

/// Key derivation with HMAC-SHA-512 (RFC 5869, smp-agent.md 0.7).
public enum HKDF {
    private static let hashSize = Int(crypto_auth_hmacsha512_BYTES)

    /// The key of the extraction step.
    public enum Salt: Sendable {
        /// No salt, equal to 64 zero bytes (RFC 5869 2.2).
        case none
        /// A public salt.
        case bytes(Bytes)
        /// A secret salt.
        case secret(Secret)
    }

    /// Derives `count` bytes (at most 255 × 64) from key material in one or more parts, read in order.
    public static func derive(
        _ count: Int, from keys: [Secret], salt: Salt = .none, info: String
    ) -> Secret {
        precondition(count <= 255 * hashSize, "HKDF makes at most 255 blocks")
        let extracted = extract(from: keys, salt: salt)
        return unsafe Secret(
            SecretBytes(count: count) { output in
                unsafe extracted.withUnsafeBytes { unsafe expand($0, info: info, into: output) }
            })
    }

    /// Extracts a pseudorandom key (RFC 5869 2.2).
    private static func extract(from keys: [Secret], salt: Salt) -> SecretBytes {
        unsafe SecretBytes(count: hashSize) { output in
            let extract: (crypto_auth_hmacsha512_state) -> Void = { keyed in
                unsafe hmac(keyed, into: output) { add in
                    for key in keys {
                        unsafe key.withUnsafeBytes { unsafe add($0) }
                    }
                }
            }
            switch salt {
            case .none: extract(unsalted)
            case .bytes(let bytes): unsafe extract(bytes.withUnsafeBytes { unsafe keyedState($0) })
            case .secret(let secret): unsafe extract(secret.withUnsafeBytes { unsafe keyedState($0) })
            }
        }
    }

    /// Expands a key (RFC 5869 2.3): each block is the HMAC of the previous block, the info and a counter.
    private static func expand(
        _ key: UnsafeRawBufferPointer, info: String, into output: UnsafeMutableRawBufferPointer
    ) {
        let label = Bytes(info.utf8)
        unsafe withUnsafeTemporaryAllocation(byteCount: hashSize, alignment: 16) { block in
            var counter: UInt8 = 0
            var filled = 0
            // All blocks have the same key, whose part of the hash is a third of the work.
            var keyed = unsafe keyedState(key)
            defer { unsafe sodium_memzero(&keyed, MemoryLayout<crypto_auth_hmacsha512_state>.size) }
            while filled < output.count {
                let previous = unsafe UnsafeRawBufferPointer(rebasing: block[..<(counter == 0 ? 0 : hashSize)])
                counter += 1
                unsafe hmac(keyed, into: block) { add in
                    unsafe add(previous)
                    unsafe label.withUnsafeBytes { unsafe add($0) }
                    unsafe withUnsafeBytes(of: counter) { unsafe add($0) }
                }
                let size = min(hashSize, output.count - filled)
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[filled..<filled + size])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<size]))
                filled += size
            }
            unsafe sodium_memzero(block.octets, block.count)
        }
    }

    /// The HMAC state after its key. Extraction without salt uses it for every block of a connection.
    private static let unsalted = unsafe keyedState(UnsafeRawBufferPointer(start: nil, count: 0))

    private static func keyedState(_ key: UnsafeRawBufferPointer) -> crypto_auth_hmacsha512_state {
        var state = crypto_auth_hmacsha512_state()
        unsafe crypto_auth_hmacsha512_init(&state, key.octets, key.count)
        return state
    }

    /// Finishes the HMAC of a key with the parts of a message.
    private static func hmac(
        _ keyed: crypto_auth_hmacsha512_state, into output: UnsafeMutableRawBufferPointer,
        input: ((UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        var state = keyed
        unsafe input { piece in
            unsafe crypto_auth_hmacsha512_update(&state, piece.octets, UInt64(piece.count))
        }
        unsafe crypto_auth_hmacsha512_final(&state, output.octets)
        unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha512_state>.size)
    }
}
