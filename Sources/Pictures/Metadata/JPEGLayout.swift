import ByteCoding

/// The properties of a JPEG file that decide how much memory and time its decoder takes (ITU-T T.81 B.2.2, B.2.3).
struct JPEGLayout {
    let width: Int
    let height: Int
    /// True if it is coded as almost all files are: baseline, extended or progressive, with Huffman codes.
    let isCommon: Bool
    /// The number of scans, at least 1 in a file that can be decoded.
    let scans: Int
    /// The bytes in which the decoder keeps all coefficients until the last scan; 0 if it decodes row by row.
    let coefficientBytes: Int

    /// - Parameters:
    ///   - marker: The marker of the frame header.
    ///   - frame: The frame header behind its length.
    ///   - scans: The scan headers behind their lengths.
    init(_ marker: UInt8, _ frame: Bytes, scans: [Bytes]) throws(DecodeError) {
        var reader = ByteReader(frame)
        _ = try reader.uint8()
        height = Int(try reader.uint16())
        width = Int(try reader.uint16())
        let count = Int(try reader.uint8())
        var factors: [(Int, Int)] = []
        for _ in 0..<count {
            let component = try reader.take(3)
            factors.append((Int(component[1] >> 4), Int(component[1] & 0x0f)))
        }
        isCommon = 0xc0...0xc2 ~= marker
        self.scans = scans.count
        let isInterleaved = scans.first?.first.map { Int($0) == count } ?? false
        guard marker == 0xc2 || !isInterleaved || scans.count > 1 else {
            coefficientBytes = 0
            return
        }
        // Blocks of 8 x 8 coefficients of two bytes, in whole groups that hold blocks of all components.
        let across = factors.map(\.0).max() ?? 1, down = factors.map(\.1).max() ?? 1
        guard across > 0, down > 0 else { throw .invalid("factor") }
        let columns = (width + 8 * across - 1) / (8 * across), rows = (height + 8 * down - 1) / (8 * down)
        coefficientBytes = factors.reduce(0) { $0 + 128 * columns * rows * $1.0 * $1.1 }
    }
}
