package import ByteCoding

/// A QR code: a text for the camera of a phone (ISO/IEC 18004).
///
/// It contains bytes with the lowest error correction (level L), because a screen is not damaged and fewer modules are
/// easier to show. The largest content is 2,953 bytes.
///
/// ```swift
/// if let code = QRCode(link) { try output.write(code) }
/// ```
public struct QRCode: Hashable, Sendable {
    /// The number of modules on a side: 21 to 177.
    public let size: Int
    /// The modules row by row; true for a dark one.
    private let modules: [Bool]

    /// Creates the smallest code for a text, or returns nil for a text that is too long.
    public init?(_ text: String) {
        self.init(Bytes(text.utf8), mask: nil)
    }

    /// Creates the smallest code for some bytes, or returns nil for too many.
    ///
    /// - Parameter mask: One of the eight masks; nil for the most readable one.
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

    /// Returns true if a module is dark. All modules outside of the code are light.
    public func isDark(row: Int, column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
    }
}

extension QRCode {
    /// The light modules around the code, which many readers require (ISO/IEC 18004 6.3.8).
    private static let quietZone = 4

    /// The width of the picture in columns.
    public var width: Int { size + 2 * QRCode.quietZone }

    /// Returns the picture: two rows of modules in each line, half a character for each module.
    ///
    /// On a stream with colours, dark modules are black and light ones white in any theme: both colours are in the
    /// fixed part of the 256-colour palette. Elsewhere light modules have the colour of the text, which is right for
    /// light text on a dark background. Most readers accept the inverse too.
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

    /// Returns a character with the upper half, the lower half, both or none drawn.
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
    ///
    /// - Throws: ``OutputError``.
    public func write(_ code: QRCode) throws(OutputError) {
        for line in code.lines(inColor: traits.usesColor) { try write(verbatim: line + "\n") }
        if traits.isTerminal { try flush() }
    }
}

/// The version of a QR code, with its division into blocks (ISO/IEC 18004, level L).
struct QRCodeVersion: Hashable, Sendable {
    /// The version, 1 to 40.
    let number: Int

    static let all = (1...40).map(QRCodeVersion.init(number:))

    /// Returns the smallest version for that many bytes.
    static func smallest(holding count: Int) -> QRCodeVersion? {
        all.first { $0.capacity >= count }
    }

    /// The number of modules on a side.
    var size: Int { 17 + 4 * number }

    /// The number of all bytes, including error correction.
    var codewordCount: Int {
        var modules = (16 * number + 128) * number + 64
        if number >= 2 {
            let centres = alignmentCentres.count
            modules -= (25 * centres - 10) * centres - 55
        }
        if number >= 7 { modules -= 36 }
        return modules / 8
    }

    /// The number of error correction blocks (table 9).
    var blockCount: Int { QRCodeVersion.blockCounts[number - 1] }

    /// The number of error correction bytes in each block (table 9).
    var checkCount: Int { QRCodeVersion.checkCounts[number - 1] }

    /// The number of content bytes in all blocks.
    var contentCount: Int { codewordCount - blockCount * checkCount }

    /// The number of bits of the length field (table 3).
    var lengthBits: Int { number < 10 ? 8 : 16 }

    /// The largest content in bytes: the mode (4 bits) and the length field precede it.
    var capacity: Int { (8 * contentCount - 4 - lengthBits) / 8 }

    /// The rows, and columns, of the centres of alignment patterns (annex E). They are at equal distances from the far
    /// end, except the first.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2, last = size - 7
        // Version 32 is an exception from the rounding of all others.
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
