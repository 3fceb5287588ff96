import ByteCoding

/// The bytes of a QR code in drawing order (ISO/IEC 18004 7.4 to 7.6).
enum QRCodewords {
    /// Divides bytes, which must fit, into blocks, and interleaves the blocks and their error correction.
    static func make(_ bytes: Bytes, _ version: QRCodeVersion) -> Bytes {
        let content = padded(bytes, version)
        // The last blocks may be one byte longer than the first.
        let longer = version.codewordCount % version.blockCount
        let length = version.contentCount / version.blockCount
        var blocks: [ArraySlice<UInt8>] = [], rest = content[...]
        for number in 0..<version.blockCount {
            let part = rest.prefix(number < version.blockCount - longer ? length : length + 1)
            blocks.append(part)
            rest = rest.dropFirst(part.count)
        }
        let correction = Correction(count: version.checkCount)
        return interleaved(blocks) + interleaved(blocks.map { correction.bytes(for: $0)[...] })
    }

    /// Returns the bytes after mode and length, with terminator and padding.
    private static func padded(_ bytes: Bytes, _ version: QRCodeVersion) -> Bytes {
        // The stream consists of half bytes: the mode, the length, the bytes and the terminator.
        var halves: Bytes = [0b0100]
        for shift in stride(from: version.lengthBits - 4, through: 0, by: -4) {
            halves.append(UInt8(bytes.count >> shift & 15))
        }
        for byte in bytes { halves += [byte >> 4, byte & 15] }
        halves.append(0)
        var content = stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
        while content.count < version.contentCount {
            content.append(content.count % 2 == (halves.count / 2) % 2 ? 0xec : 0x11)
        }
        return content
    }

    private static func interleaved(_ blocks: [ArraySlice<UInt8>]) -> Bytes {
        (0..<(blocks.map(\.count).max() ?? 0)).flatMap { place in
            blocks.compactMap { $0.count > place ? $0[$0.startIndex + place] : nil }
        }
    }
}

/// The Reed-Solomon code of ISO/IEC 18004, in the field of 256 with x^8 + x^4 + x^3 + x^2 + 1.
private struct Correction {
    /// The generator polynomial, highest power first, without the leading 1.
    private let divisor: Bytes

    /// Creates a code.
    ///
    /// - Parameter count: The number of error correction bytes.
    init(count: Int) {
        var divisor = Bytes(repeating: 0, count: count - 1) + [1], root: UInt8 = 1
        for _ in 0..<count {
            for place in divisor.indices {
                let next = place + 1 < count ? divisor[place + 1] : 0
                divisor[place] = Correction.product(divisor[place], root) ^ next
            }
            root = Correction.product(root, 2)
        }
        self.divisor = divisor
    }

    /// Returns the error correction bytes of a block.
    func bytes(for block: ArraySlice<UInt8>) -> Bytes {
        var remainder = Bytes(repeating: 0, count: divisor.count)
        for byte in block {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for place in divisor.indices { remainder[place] ^= Correction.product(divisor[place], factor) }
        }
        return remainder
    }

    private static func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
        var product: UInt8 = 0, power = first, rest = second
        while rest > 0 {
            if rest & 1 == 1 { product ^= power }
            power = power << 1 ^ (power & 0x80 == 0 ? 0 : 0x1d)
            rest >>= 1
        }
        return product
    }
}
