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
