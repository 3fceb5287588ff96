import ByteCoding
import CGIF

/// The first picture of a GIF file, over giflib.
extension Picture {
    static func decodeGIF(_ bytes: Bytes, limit: Int) throws(PictureError) -> Picture {
        var source = Source(bytes: bytes)
        return try unsafe withUnsafeMutablePointer(to: &source) { pointer throws(PictureError) in
            var status: Int32 = 0
            let read: InputFunc = { file, buffer, count in
                guard let file = unsafe file, let buffer = unsafe buffer, count > 0,
                    let source = unsafe file.pointee.UserData?.assumingMemoryBound(to: Source.self)
                else { return 0 }
                let part = unsafe source.pointee.next(Int(count))
                _ = unsafe UnsafeMutableBufferPointer(start: buffer, count: part.count).update(fromContentsOf: part)
                return Int32(part.count)
            }
            guard let file = unsafe DGifOpen(pointer, read, &status) else { throw .unreadable }
            defer { _ = unsafe DGifCloseFile(file, &status) }
            return try unsafe decode(file, limit: limit)
        }
    }

    /// What is left to read.
    private struct Source {
        let bytes: Bytes
        var position = 0

        mutating func next(_ count: Int) -> ArraySlice<UInt8> {
            let part = bytes[position...].prefix(count)
            position += part.count
            return part
        }
    }

    private static func decode(_ file: UnsafeMutablePointer<GifFileType>, limit: Int) throws(PictureError) -> Picture {
        let width = Int(unsafe file.pointee.SWidth), height = Int(unsafe file.pointee.SHeight)
        try check(width: width, height: height, limit: limit)
        var transparent: Int?
        while true {
            var kind = UNDEFINED_RECORD_TYPE
            guard unsafe DGifGetRecordType(file, &kind) == GIF_OK else { throw .unreadable }
            switch kind {
            case IMAGE_DESC_RECORD_TYPE: return try unsafe frame(of: file, width, height, transparent, limit: limit)
            case EXTENSION_RECORD_TYPE: transparent = try unsafe transparency(in: file) ?? transparent
            default: throw .unreadable
            }
        }
    }

    /// Reads an extension. Returns the color that is not drawn, if the extension names it (GIF89a 23).
    private static func transparency(in file: UnsafeMutablePointer<GifFileType>) throws(PictureError) -> Int? {
        var label: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>? = nil
        var color: Int?
        guard unsafe DGifGetExtension(file, &label, &block) == GIF_OK else { throw .unreadable }
        while let content = unsafe block {
            // The first byte is the size.
            if label == 0xf9, unsafe content[0] == 4, unsafe content[1] & 1 == 1 { color = Int(unsafe content[4]) }
            guard unsafe DGifGetExtensionNext(file, &block) == GIF_OK else { throw .unreadable }
        }
        return color
    }

    private static func frame(
        of file: UnsafeMutablePointer<GifFileType>, _ width: Int, _ height: Int, _ transparent: Int?, limit: Int
    ) throws(PictureError) -> Picture {
        guard unsafe DGifGetImageDesc(file) == GIF_OK else { throw .unreadable }
        let image = unsafe file.pointee.Image
        let left = unsafe Int(image.Left), top = unsafe Int(image.Top)
        let columns = unsafe Int(image.Width), rows = unsafe Int(image.Height), isInterlaced = unsafe image.Interlace
        try check(width: columns, height: rows, limit: limit)
        guard left >= 0, top >= 0, let map = unsafe image.ColorMap ?? file.pointee.SColorMap else { throw .unreadable }
        let colors = unsafe Array(UnsafeBufferPointer(start: map.pointee.Colors, count: Int(map.pointee.ColorCount)))
        var pixels = Bytes(repeating: 255, count: 3 * width * height)
        var line = Bytes(repeating: 0, count: columns)
        for row in isInterlaced ? interlaced(rows) : Array(0..<rows) {
            guard unsafe DGifGetLine(file, &line, Int32(columns)) == GIF_OK else { throw .unreadable }
            let y = top + row
            guard y < height else { continue }
            for (column, index) in line.enumerated() where left + column < width {
                guard Int(index) != transparent, colors.indices.contains(Int(index)) else { continue }
                let color = colors[Int(index)], place = 3 * (y * width + left + column)
                pixels[place] = color.Red
                pixels[place + 1] = color.Green
                pixels[place + 2] = color.Blue
            }
        }
        return Picture(width: width, height: height, pixels: pixels)
    }

    /// The order in which the rows of an interlaced picture come (GIF89a appendix E).
    private static func interlaced(_ rows: Int) -> [Int] {
        [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in Array(stride(from: start, to: rows, by: step)) }
    }
}
