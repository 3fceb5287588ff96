import ByteCoding

/// The modules of a QR code under construction (ISO/IEC 18004 6.3 and 7.7 to 7.10).
struct QRCodeCanvas {
    let size: Int
    /// The modules row by row; true for a dark one.
    private(set) var modules: [Bool]
    /// True for modules without content, which are never masked.
    private var isFixed: [Bool]

    /// Draws the patterns that do not depend on the content.
    init(_ version: QRCodeVersion) {
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFixed = modules
        for place in 0..<size {
            fix(6, place, place % 2 == 0)
            fix(place, 6, place % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        let centres = version.alignmentCentres, last = centres.last
        for row in centres {
            for column in centres {
                // Three corners have finder patterns.
                if row == 6 && (column == 6 || column == last) || column == 6 && row == last { continue }
                drawAlignment(row, column)
            }
        }
        drawFormat(mask: 0)
        if version.number >= 7 { drawVersion(version.number) }
    }

    // MARK: - Fixed patterns

    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        modules[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    private mutating func drawFinder(_ centreRow: Int, _ centreColumn: Int) {
        for row in max(centreRow - 4, 0)...min(centreRow + 4, size - 1) {
            for column in max(centreColumn - 4, 0)...min(centreColumn + 4, size - 1) {
                let ring = max(abs(row - centreRow), abs(column - centreColumn))
                fix(row, column, ring != 2 && ring != 4)
            }
        }
    }

    private mutating func drawAlignment(_ centreRow: Int, _ centreColumn: Int) {
        for row in -2...2 {
            for column in -2...2 { fix(centreRow + row, centreColumn + column, max(abs(row), abs(column)) != 1) }
        }
    }

    /// Draws the level and the mask, twice, with their error correction (7.9).
    private mutating func drawFormat(mask: Int) {
        let levelL = 0b01
        let bits = QRCodeCanvas.checked(levelL << 3 | mask, by: 0x537, 10) ^ 0x5412
        for number in 0..<15 {
            let isDark = bits >> number & 1 == 1
            // Around the upper left finder, except the row and column of the timing pattern.
            switch number {
            case 0..<6: fix(number, 8, isDark)
            case 6, 7: fix(number + 1, 8, isDark)
            case 8: fix(8, 7, isDark)
            default: fix(8, 14 - number, isDark)
            }
            // Beside the two other finders.
            if number < 8 { fix(8, size - 1 - number, isDark) } else { fix(size - 15 + number, 8, isDark) }
        }
        fix(size - 8, 8, true)
    }

    /// Draws the version, twice, with its error correction (7.10).
    private mutating func drawVersion(_ version: Int) {
        let bits = QRCodeCanvas.checked(version, by: 0x1f25, 12)
        for number in 0..<18 {
            let isDark = bits >> number & 1 == 1, far = size - 11 + number % 3, near = number / 3
            fix(near, far, isDark)
            fix(far, near, isDark)
        }
    }

    /// Returns a number followed by the remainder, `width` bits, of its division by a polynomial.
    private static func checked(_ number: Int, by divisor: Int, _ width: Int) -> Int {
        var remainder = number
        for _ in 0..<width { remainder = remainder << 1 ^ (remainder >> (width - 1) & 1) * divisor }
        return number << width | remainder
    }

    // MARK: - Content

    /// Draws bytes from the lower right corner, in columns of two modules, up and down.
    mutating func place(_ codewords: Bytes) {
        var number = 0
        for pair in 0..<(size - 1) / 2 {
            // The column of the timing pattern is skipped.
            let fromRight = size - 1 - 2 * pair, right = fromRight > 6 ? fromRight : fromRight - 1
            for step in 0..<size {
                let row = pair % 2 == 0 ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] {
                    // A few modules may remain, which are light.
                    guard number < 8 * codewords.count else { return }
                    modules[row * size + column] = codewords[number / 8] >> (7 - number % 8) & 1 == 1
                    number += 1
                }
            }
        }
    }

    /// Inverts modules by a pattern, so that none of them resemble a finder (7.8).
    mutating func apply(mask: Int) {
        for row in 0..<size {
            for column in 0..<size
            where !isFixed[row * size + column] && QRCodeCanvas.inverts(mask, row: row, column: column) {
                modules[row * size + column].toggle()
            }
        }
        drawFormat(mask: mask)
    }

    private static func inverts(_ mask: Int, row: Int, column: Int) -> Bool {
        let product = row * column
        return switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: product % 2 + product % 3 == 0
        case 6: (product % 2 + product % 3) % 2 == 0
        default: ((row + column) % 2 + product % 3) % 2 == 0
        }
    }
}

extension QRCodeCanvas {
    /// The penalty of the picture; the mask with the lowest one is used (ISO/IEC 18004 7.8.3).
    var penalty: Int {
        let rows = (0..<size).map { row in Array(modules[row * size..<(row + 1) * size]) }
        let columns = (0..<size).map { column in rows.map { $0[column] } }
        let lines = rows + columns
        return lines.reduce(0) { $0 + QRCodeCanvas.penalty(ofRunsIn: $1) + QRCodeCanvas.penalty(ofFindersIn: $1) }
            + penalty(ofSquaresIn: rows) + penaltyOfBalance
    }

    /// Returns the penalty of runs of five or more equal modules in a line.
    private static func penalty(ofRunsIn line: [Bool]) -> Int {
        var penalty = 0, run = 0
        for place in line.indices {
            run = place > 0 && line[place] == line[place - 1] ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
        return penalty
    }

    /// Returns the penalty of finder-like patterns: runs of 1, 1, 3, 1 and 1 modules, with four light ones on one side.
    private static func penalty(ofFindersIn line: [Bool]) -> Int {
        // The outside of the code is light.
        let quiet = Array(repeating: false, count: 4)
        let line = quiet + line + quiet
        var penalty = 0, window = 0
        for (place, isDark) in line.enumerated() {
            window = (window << 1 | (isDark ? 1 : 0)) & 0x7ff
            if place >= 10, window == 0b0000_1011101 || window == 0b1011101_0000 { penalty += 40 }
        }
        return penalty
    }

    /// Returns the penalty of squares of four equal modules, which may overlap.
    private func penalty(ofSquaresIn rows: [[Bool]]) -> Int {
        var penalty = 0
        for (upper, lower) in zip(rows, rows.dropFirst()) {
            for column in 1..<size {
                let kind = upper[column]
                if upper[column - 1] == kind, lower[column] == kind, lower[column - 1] == kind { penalty += 3 }
            }
        }
        return penalty
    }

    /// The penalty of the deviation from half of the modules being dark, in steps of five percent.
    private var penaltyOfBalance: Int {
        let dark = modules.count { $0 }, all = modules.count
        return abs(dark * 20 - all * 10) / all * 10
    }
}
