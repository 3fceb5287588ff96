import ByteCoding
import CTurboJPEG

/// JPEG, over libturbojpeg.
extension Picture {
    /// The most pixels of a file that is decoded row by row, and smaller than it is stored: cameras have 200 million.
    private static let mostRowPixels = 250_000_000
    /// The most bytes of coefficients that are kept until the last scan.
    private static let mostCoefficientBytes = 200_000_000
    /// The most bytes of coefficients that are visited in all scans together: two seconds of work.
    private static let mostVisitedBytes = 4_000_000_000

    /// Throws for a file whose decoder would take much memory or time. Files of few bytes can ask for 20 GB.
    private static func check(_ bytes: Bytes, limit: Int) throws(PictureError) {
        guard let layout = try? JPEGParts.layout(bytes), layout.isCommon else { throw .unreadable }
        guard layout.width > 0, layout.height > 0 else { throw .unreadable }
        let most = limit == mostPixels ? mostRowPixels : limit
        guard layout.width * layout.height <= most, layout.coefficientBytes <= mostCoefficientBytes,
            layout.scans <= mostVisitedBytes / max(layout.coefficientBytes, 1)
        else { throw .tooLarge }
    }

    static func decodeJPEG(_ bytes: Bytes, side: Int, limit: Int) throws(PictureError) -> (Picture, PictureSize) {
        try check(bytes, limit: limit)
        guard let handle = unsafe tjInitDecompress() else { throw .unreadable }
        defer { _ = unsafe tjDestroy(handle) }
        var width: Int32 = 0, height: Int32 = 0, subsampling: Int32 = 0, colors: Int32 = 0
        guard
            unsafe tjDecompressHeader3(
                handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &colors) == 0
        else { throw .unreadable }
        // An eighth is the least that is decoded.
        let longer = Int(max(width, height))
        let divisor = [8, 4, 2].first { longer / $0 >= side } ?? 1
        let scaled = (width: (Int(width) + divisor - 1) / divisor, height: (Int(height) + divisor - 1) / divisor)
        try check(width: scaled.width, height: scaled.height, limit: limit)
        var pixels = Bytes(repeating: 0, count: 3 * scaled.width * scaled.height)
        let status = unsafe tjDecompress2(
            handle, bytes, UInt(bytes.count), &pixels, Int32(scaled.width), 0, Int32(scaled.height),
            Int32(TJPF_RGB.rawValue), TJFLAG_LIMITSCANS)
        // A warning leaves a picture with a damaged part.
        let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        guard status == 0 || isWarning else { throw .unreadable }
        return (Picture(width: scaled.width, height: scaled.height, pixels: pixels), (Int(width), Int(height)))
    }

    /// The picture as a JPEG file.
    ///
    /// - Parameter quality: From 1 to 100.
    func jpeg(quality: Int32) throws(PictureError) -> Bytes {
        guard let handle = unsafe tjInitCompress() else { throw .unreadable }
        defer { _ = unsafe tjDestroy(handle) }
        var output: UnsafeMutablePointer<UInt8>? = nil
        var size: UInt = 0
        defer { unsafe tjFree(output) }
        let status = unsafe tjCompress2(
            handle, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &output, &size,
            Int32(TJSAMP_420.rawValue), quality, 0)
        guard status == 0, let start = unsafe output else { throw .unreadable }
        return unsafe Bytes(UnsafeBufferPointer(start: start, count: Int(size)))
    }
}
