public import ByteCoding

/// A decoded picture: its pixels from the top left, row by row, three bytes each: red, green, blue.
public struct Picture: Hashable, Sendable {
    /// In pixels, at least 1.
    public let width: Int
    /// In pixels, at least 1.
    public let height: Int
    /// `3 * width * height` bytes.
    public let pixels: Bytes

    /// The most pixels that are decoded: 150 MB of memory, and up to 200 MB that a decoder takes beside them.
    public static let mostPixels = 50_000_000
    /// The most pixels of a preview in a message: the official clients make them smaller.
    public static let mostPreviewPixels = 4_000_000

    init(width: Int, height: Int, pixels: Bytes) {
        precondition(width > 0 && height > 0 && pixels.count == 3 * width * height)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Throws unless a picture of this size can be decoded.
    static func check(width: Int, height: Int, limit: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw .unreadable }
        guard width <= limit, height <= limit, width * height <= limit else { throw .tooLarge }
    }

    /// The picture made smaller so that its longer side has at most `side` pixels, with the same proportions.
    ///
    /// Each new pixel is the mean of the old ones under it.
    func fitted(to side: Int) -> Picture {
        let longer = max(width, height)
        guard longer > side, side > 0 else { return self }
        let newWidth = max(1, width * side / longer), newHeight = max(1, height * side / longer)
        var result = Bytes(repeating: 0, count: 3 * newWidth * newHeight)
        var target = 0
        for y in 0..<newHeight {
            let rows = (y * height / newHeight)..<max(y * height / newHeight + 1, (y + 1) * height / newHeight)
            for x in 0..<newWidth {
                let columns = (x * width / newWidth)..<max(x * width / newWidth + 1, (x + 1) * width / newWidth)
                var red = 0, green = 0, blue = 0
                for row in rows {
                    var source = 3 * (row * width + columns.lowerBound)
                    for _ in columns {
                        red += Int(pixels[source])
                        green += Int(pixels[source + 1])
                        blue += Int(pixels[source + 2])
                        source += 3
                    }
                }
                let count = rows.count * columns.count
                result[target] = UInt8(truncatingIfNeeded: red / count)
                result[target + 1] = UInt8(truncatingIfNeeded: green / count)
                result[target + 2] = UInt8(truncatingIfNeeded: blue / count)
                target += 3
            }
        }
        return Picture(width: newWidth, height: newHeight, pixels: result)
    }

    /// The picture the right way up, if it was stored in another way.
    func turned(from orientation: Orientation) -> Picture {
        guard orientation != .upright else { return self }
        let newWidth = orientation.swapsSides ? height : width, newHeight = orientation.swapsSides ? width : height
        var result = Bytes()
        result.reserveCapacity(pixels.count)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let (column, row) = orientation.source(x, y, width: width, height: height)
                let source = 3 * (row * width + column)
                result.append(pixels[source])
                result.append(pixels[source + 1])
                result.append(pixels[source + 2])
            }
        }
        return Picture(width: newWidth, height: newHeight, pixels: result)
    }
}
