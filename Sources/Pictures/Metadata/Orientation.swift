import ByteCoding

/// How the stored rows and columns of a picture are shown (Exif 2.32 4.6.4, tag 274).
enum Orientation: UInt8, CaseIterable {
    case upright = 1
    /// Left and right are exchanged.
    case mirrored = 2
    case turnedHalf = 3
    /// Top and bottom are exchanged.
    case flipped = 4
    /// Rows are columns.
    case transposed = 5
    /// It is shown after a quarter turn clockwise.
    case turnedLeft = 6
    /// Rows are columns, from the last.
    case transversed = 7
    /// It is shown after a quarter turn counterclockwise.
    case turnedRight = 8

    /// True if it is shown as wide as it is stored high.
    var swapsSides: Bool { rawValue >= 5 }

    /// Where the pixel is stored that is shown at a place.
    ///
    /// - Parameters:
    ///   - width: Of the picture as it is stored.
    ///   - height: Of the picture as it is stored.
    func source(_ x: Int, _ y: Int, width: Int, height: Int) -> (column: Int, row: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (width - 1 - x, y)
        case .turnedHalf: (width - 1 - x, height - 1 - y)
        case .flipped: (x, height - 1 - y)
        case .transposed: (y, x)
        case .turnedLeft: (y, height - 1 - x)
        case .transversed: (width - 1 - y, height - 1 - x)
        case .turnedRight: (width - 1 - y, x)
        }
    }

    /// The tag of the orientation, and the type of its value: a number of two bytes.
    private static let tag = 274, shortType = 3

    /// Reads the orientation from Exif data (TIFF 6.0 section 2); nil if they name none.
    init?(exif bytes: Bytes) {
        let isLittle = bytes.starts(with: Bytes("II".utf8))
        guard isLittle || bytes.starts(with: Bytes("MM".utf8)) else { return nil }
        func number(_ position: Int, _ size: Int) -> Int? {
            guard position >= 0, position <= bytes.count - size else { return nil }
            let digits = bytes[position..<(position + size)]
            return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for entry in 0..<count {
            let position = directory + 2 + 12 * entry
            guard let tag = number(position, 2), let type = number(position + 2, 2), let value = number(position + 8, 2)
            else { return nil }
            guard tag == Self.tag else { continue }
            guard type == Self.shortType, let raw = UInt8(exactly: value) else { return nil }
            self.init(rawValue: raw)
            return
        }
        return nil
    }

    /// Exif data that say the orientation and nothing else: 26 bytes.
    var exif: Bytes {
        var writer = ByteWriter()
        writer.ascii("MM")
        writer.uint16(42)
        writer.uint32(8)
        writer.uint16(1)
        writer.uint16(UInt16(Self.tag))
        writer.uint16(UInt16(Self.shortType))
        writer.uint32(1)
        writer.uint16(UInt16(rawValue))
        writer.uint16(0)
        writer.uint32(0)
        return writer.bytes
    }
}
