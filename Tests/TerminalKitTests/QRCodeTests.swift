import ByteCoding
import TerminalKit
import TestSupport
import Testing

/// Codes that another program has drawn.
@Suite struct QRCodeVectors {
    @Test(arguments: VectorFile.rows("qr-codes"))
    func modulesAreTheSame(row: [String]) throws {
        let version = try #require(Int(row[0])), mask = try #require(Int(row[1]))
        let code = try #require(QRCode(Array(row[2].utf8), mask: mask))
        #expect(code.size == 17 + 4 * version)
        let bits = (0..<code.size * code.size).map { place in
            code.isDark(row: place / code.size, column: place % code.size)
        }
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 << 1 | (start + $1 < bits.count && bits[start + $1] ? 1 : 0) }
        }
        #expect(try bytes == Hex.decode(row[3]))
    }
}

/// How large codes are, and how they look on a terminal.
@Suite struct QRCodeTests {
    private static let link =
        "https://smp.example.com/i#abcdefghijklmnopqrstuvwxyz012345/ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    @Test(arguments: [(0, 21), (17, 21), (18, 25), (230, 53), (231, 57), (2953, 177)])
    func theSmallestIsTaken(length: Int, size: Int) {
        #expect(QRCode(String(repeating: "x", count: length))?.size == size)
    }

    @Test func noneHoldsMore() {
        #expect(QRCode(String(repeating: "x", count: 2954)) == nil)
    }

    @Test func theBestMaskIsOneOfAll() throws {
        let code = try #require(QRCode(Self.link))
        #expect((0..<8).contains { QRCode(Array(Self.link.utf8), mask: $0) == code })
        #expect(try Set((0..<8).map { try #require(QRCode(Array(Self.link.utf8), mask: $0)) }).count == 8)
    }

    /// Read back from the characters, with and without colour, it is the same code, inside of four light modules.
    @Test(arguments: [true, false]) func thePictureIsTheCode(inColor: Bool) throws {
        let code = try #require(QRCode(Self.link)), lines = code.lines(inColor: inColor)
        #expect(code.width == code.size + 8 && lines.count == (code.width + 1) / 2)
        let begin = "\u{1b}[38;5;16;48;5;231m", end = "\u{1b}[0m"
        var rows: [[Bool]] = []
        for line in lines {
            #expect(line.hasPrefix(begin) == inColor && line.hasSuffix(end) == inColor)
            let characters = inColor ? line.dropFirst(begin.count).dropLast(end.count) : line[...]
            #expect(characters.count == code.width)
            // Black is drawn in colour, and white without.
            rows.append(characters.map { ("█▀".contains($0)) == inColor })
            rows.append(characters.map { ("█▄".contains($0)) == inColor })
        }
        for (row, line) in rows.enumerated() {
            for (column, isDark) in line.enumerated() {
                #expect(isDark == code.isDark(row: row - 4, column: column - 4))
            }
        }
    }
}
