import ByteCoding
import Compression
import CryptoCore
import TestSupport
import Testing

@Suite struct ZstandardTests {
    @Test(arguments: [0, 1, 180, 181, 255, 256, 13_380, 65_535, 65_536, 300_000])
    func roundTrips(size: Int) throws {
        let noise = SeededRandom(seed: UInt64(size)).bytes(size)
        let text = Bytes("all work and no play ".utf8).repeated(upTo: size)
        for content in [noise, text, Bytes(repeating: 0, count: size)] {
            for level in [-5, 1, Zstandard.defaultLevel, 19, 100] {
                let frame = Zstandard.compress(content, level: level)
                #expect(try Zstandard.decompress(frame, limit: size) == content)
                #expect(try Zstandard.decompress(frame, limit: .max) == content)
                if size > 0 {
                    #expect(throws: CompressionError.tooLarge) { try Zstandard.decompress(frame, limit: size - 1) }
                }
            }
        }
    }

    /// Frames of the `zstd` program, level 3: from a file, so with the content size, and from a pipe, so without.
    @Test func framesOfTheProgram() throws {
        let sized: Bytes = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x05, 0x29, 0x00, 0x00] + Bytes("hello".utf8)
        #expect(Zstandard.compress(Bytes("hello".utf8)) == sized)
        #expect(try Zstandard.decompress(sized, limit: 5) == Bytes("hello".utf8))
        let unsized = try Hex.decode("28b52ffd005829000068656c6c6f")
        #expect(try Zstandard.decompress(unsized, limit: 5) == Bytes("hello".utf8))
        #expect(try Zstandard.decompress(unsized, limit: 65_536) == Bytes("hello".utf8))
        #expect(throws: CompressionError.tooLarge) { try Zstandard.decompress(unsized, limit: 4) }
        let zeros = try Hex.decode("28b52ffd005855000010000001009b8639c002")
        #expect(try Zstandard.decompress(zeros, limit: 100_000) == Bytes(repeating: 0, count: 100_000))
        #expect(throws: CompressionError.tooLarge) { try Zstandard.decompress(zeros, limit: 99_999) }
    }

    /// Blocks that repeat one byte 128 KiB often take four bytes each: 4 kB that become 128 MiB.
    @Test func bombs() throws {
        let blocks = Frame.repeating(blocks: 1000)
        let limit = 65_536
        let claims: [(Frame.ContentSize, CompressionError)] = [
            (.none, .tooLarge),
            (.bytes(limit), .invalid),
            (.bytes(limit + 1), .tooLarge),
            (.bytes(1000 << 17), .tooLarge),
            (.bytes(.max), .tooLarge),
            (.largest, .tooLarge),
        ]
        for (claim, expected) in claims {
            let frame = Frame.header(claim) + blocks
            #expect(throws: expected) { try Zstandard.decompress(frame, limit: limit) }
        }
        // The same blocks are good input for whoever allows so much.
        let two = Frame.header(.none) + Frame.repeating(blocks: 2)
        #expect(try Zstandard.decompress(two, limit: 1 << 18).count == 1 << 18)
        // A claim that the content does not keep.
        let empty = Frame.header(.bytes(limit)) + [1, 0, 0]
        #expect(throws: CompressionError.invalid) { try Zstandard.decompress(empty, limit: limit) }
        #expect(throws: CompressionError.tooLarge) { try Zstandard.decompress(empty, limit: 0) }
        #expect(throws: CompressionError.tooLarge) { try Zstandard.decompress(empty, limit: -1) }
    }

    @Test func otherInputIsRefused() {
        let frame = Zstandard.compress(Bytes("hello".utf8))
        let skippable: Bytes = [0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]
        let inputs: [(Bytes, CompressionError)] = [
            ([], .truncated),
            (Bytes("hello".utf8), .invalid),
            (frame + [0], .trailing),
            (frame + frame, .trailing),
            (frame + skippable, .trailing),
            (skippable, .invalid),
            (skippable + frame, .invalid),
            // The magic number of the draft before the standard.
            ([0x27] + frame.dropFirst(), .invalid),
            // A dictionary is asked for.
            ([0x28, 0xb5, 0x2f, 0xfd, 0x21, 0x07, 0x05, 0x29, 0x00, 0x00] + Bytes("hello".utf8), .invalid),
        ]
        for (input, expected) in inputs {
            #expect(throws: expected) { try Zstandard.decompress(input, limit: 65_536) }
        }
    }

    @Test func every_truncation_is_reported_as_truncated() {
        let frame = Zstandard.compress(Bytes("all work and no play ".utf8).repeated(upTo: 500))
        for count in frame.indices {
            #expect(throws: CompressionError.truncated) {
                try Zstandard.decompress(Bytes(frame.prefix(count)), limit: 500)
            }
        }
    }

    /// Without a checksum a changed frame may be a frame of something else, but never of more than the limit.
    @Test func everyChangedByteEnds() {
        let text = Bytes("all work and no play makes a dull boy ".utf8).repeated(upTo: 2000)
        for content in [Bytes("hello".utf8), text, Bytes(repeating: 7, count: 70_000)] {
            let frame = Zstandard.compress(content)
            for index in frame.indices {
                for byte in UInt8.min...UInt8.max {
                    var changed = frame
                    changed[index] = byte
                    guard let result = try? Zstandard.decompress(changed, limit: content.count) else { continue }
                    #expect(result.count <= content.count)
                }
            }
        }
    }
}

/// Frames written by hand, RFC 8878 section 3.1.1.
private enum Frame {
    enum ContentSize {
        case none
        case bytes(Int)
        case largest
    }

    /// The magic number, the descriptor and the sizes: a window of 128 KiB, or one as large as the content.
    static func header(_ size: ContentSize) -> Bytes {
        let magicNumber: Bytes = [0x28, 0xb5, 0x2f, 0xfd]
        switch size {
        case .none: return magicNumber + [0x00, 0x38]
        case .bytes(let count): return magicNumber + [0xe0] + (0..<8).map { UInt8(count >> ($0 * 8) & 255) }
        case .largest: return magicNumber + [0xe0] + Bytes(repeating: 0xff, count: 7) + [0xfd]
        }
    }

    /// Blocks of 128 KiB of one byte.
    static func repeating(blocks count: Int) -> Bytes {
        (1...count).flatMap { index -> Bytes in
            let header = (1 << 17) << 3 | 1 << 1 | (index == count ? 1 : 0)
            return [UInt8(header & 255), UInt8(header >> 8 & 255), UInt8(header >> 16 & 255), 0x61]
        }
    }
}

extension Bytes {
    fileprivate func repeated(upTo count: Int) -> Bytes {
        (0..<count).map { self[$0 % self.count] }
    }
}
