/// The size of a QR code, and how its bytes are divided (ISO/IEC 18004, level L).
struct QRCodeVersion: Hashable, Sendable {
    /// 1 to 40.
    let number: Int

    static let all = (1...40).map(QRCodeVersion.init(number:))

    /// The smallest one with room for so many bytes.
    static func smallest(holding count: Int) -> QRCodeVersion? {
        all.first { $0.capacity >= count }
    }

    /// The modules of a side.
    var size: Int { 17 + 4 * number }

    /// All bytes, those for correction too.
    var codewordCount: Int {
        var modules = (16 * number + 128) * number + 64
        if number >= 2 {
            let centres = alignmentCentres.count
            modules -= (25 * centres - 10) * centres - 55
        }
        if number >= 7 { modules -= 36 }
        return modules / 8
    }

    /// The blocks that are corrected each by itself. Table 9.
    var blockCount: Int { QRCodeVersion.blockCounts[number - 1] }

    /// The bytes for correction in each block. Table 9.
    var checkCount: Int { QRCodeVersion.checkCounts[number - 1] }

    /// The bytes of all blocks that say something.
    var contentCount: Int { codewordCount - blockCount * checkCount }

    /// The bits that say how many bytes there are. Table 3.
    var lengthBits: Int { number < 10 ? 8 : 16 }

    /// The bytes that can be written down: four bits say that they are bytes, and then comes their number.
    var capacity: Int { (8 * contentCount - 4 - lengthBits) / 8 }

    /// The rows, and the columns, in which patterns for alignment have their centres. Annex E, where they stand the same
    /// even distance apart, counted from the far end, but for the first.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2, last = size - 7
        // Version 32 is an exception from the rounding that all others have.
        let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { last - step * $0 }.reversed()
    }

    private static let blockCounts = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19,
        19,
        20, 21, 22, 24, 25,
    ]

    private static let checkCounts = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30,
        30, 30,
        30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
}
