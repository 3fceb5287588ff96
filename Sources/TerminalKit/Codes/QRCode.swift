package import ByteCoding

/// A QR code: a text that the camera of a phone reads (ISO/IEC 18004).
///
/// It holds bytes and corrects few errors (level L), because a screen has no scratches and every module less makes it easier to
/// show: 2953 bytes at most.
///
/// ```swift
/// if let code = QRCode(link) { try output.write(code) }
/// ```
public struct QRCode: Hashable, Sendable {
    /// The modules of a side: 21 to 177.
    public let size: Int
    /// Row by row, true where it is dark.
    private let modules: [Bool]

    /// The smallest code that holds a text; nil if there is none.
    public init?(_ text: String) {
        self.init(Bytes(text.utf8), mask: nil)
    }

    /// The smallest code that holds some bytes; nil if there is none.
    ///
    /// - Parameter mask: One of the eight masks; nil for the one that is easiest to read.
    package init?(_ bytes: Bytes, mask: Int?) {
        guard let version = QRCodeVersion.smallest(holding: bytes.count) else { return nil }
        var canvas = QRCodeCanvas(version)
        canvas.place(QRCodewords.make(bytes, version))
        let drawn = (mask.map { [$0] } ?? Array(0..<8)).map { mask in
            var masked = canvas
            masked.apply(mask: mask)
            return masked
        }
        guard let best = drawn.count == 1 ? drawn.first : drawn.min(by: { $0.penalty < $1.penalty }) else { return nil }
        size = version.size
        modules = best.modules
    }

    /// Whether a module is dark. Around the code everything is light.
    public func isDark(row: Int, column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
    }
}

extension QRCode {
    /// The light modules around the code, without which many readers do not find it. ISO/IEC 18004 6.3.8
    private static let quietZone = 4

    /// The columns that the picture fills.
    public var width: Int { size + 2 * QRCode.quietZone }

    /// The picture: two rows of modules in each line, a half of a character for each module.
    ///
    /// Where a stream has colours the dark modules are black and the light ones white, whatever the theme of the terminal
    /// says: both are of the part of the palette of 256 colours that no theme changes. Elsewhere light modules are drawn in the
    /// colour of the text and dark ones not at all, which is right for light text on a dark ground. Most readers take the
    /// opposite too.
    public func lines(inColor usesColor: Bool) -> [String] {
        let edge = QRCode.quietZone
        return stride(from: -edge, to: size + edge, by: 2).map { row in
            let halves = (-edge..<size + edge).map { column in
                let upper = isDark(row: row, column: column), lower = isDark(row: row + 1, column: column)
                return usesColor ? QRCode.character(upper, lower) : QRCode.character(!upper, !lower)
            }
            return usesColor ? "\u{1b}[38;5;16;48;5;231m\(String(halves))\u{1b}[0m" : String(halves)
        }
    }

    /// A character of which one half, both or none are drawn.
    private static func character(_ upper: Bool, _ lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}

extension Output {
    /// Writes the picture of a code.
    public func write(_ code: QRCode) throws(OutputError) {
        for line in code.lines(inColor: traits.usesColor) { try write(verbatim: line + "\n") }
        if traits.isTerminal { try flush() }
    }
}

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
