extension QRCodeCanvas {
    /// How hard the modules are to read: the mask with the least is taken. ISO/IEC 18004 7.8.3
    var penalty: Int {
        let rows = (0..<size).map { row in Array(modules[row * size..<(row + 1) * size]) }
        let columns = (0..<size).map { column in rows.map { $0[column] } }
        let lines = rows + columns
        return lines.reduce(0) { $0 + QRCodeCanvas.penalty(ofRunsIn: $1) + QRCodeCanvas.penalty(ofFindersIn: $1) }
            + penalty(ofSquaresIn: rows) + penaltyOfBalance
    }

    /// Five modules and more of one kind in a line.
    private static func penalty(ofRunsIn line: [Bool]) -> Int {
        var penalty = 0, run = 0
        for place in line.indices {
            run = place > 0 && line[place] == line[place - 1] ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
        return penalty
    }

    /// What looks like a line through the middle of a finder: 1, 1, 3, 1 and 1 modules, with four light ones on one side.
    private static func penalty(ofFindersIn line: [Bool]) -> Int {
        // Around the code it is light.
        let quiet = Array(repeating: false, count: 4)
        let line = quiet + line + quiet
        var penalty = 0, window = 0
        for (place, isDark) in line.enumerated() {
            window = (window << 1 | (isDark ? 1 : 0)) & 0x7ff
            if place >= 10, window == 0b0000_1011101 || window == 0b1011101_0000 { penalty += 40 }
        }
        return penalty
    }

    /// Squares of four modules of one kind, which may overlap.
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

    /// How far the dark modules are from being half of all, in steps of five percent.
    private var penaltyOfBalance: Int {
        let dark = modules.count { $0 }, all = modules.count
        return abs(dark * 20 - all * 10) / all * 10
    }
}
