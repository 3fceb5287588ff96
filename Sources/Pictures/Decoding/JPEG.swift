import ByteCoding
import CTurboJPEG

/// JPEG, over libturbojpeg.
extension Picture {
    static func decodeJPEG(_ bytes: Bytes, side: Int) throws(PictureError) -> (Picture, PictureSize) {
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
        try check(width: scaled.width, height: scaled.height)
        var pixels = Bytes(repeating: 0, count: 3 * scaled.width * scaled.height)
        let status = unsafe tjDecompress2(
            handle, bytes, UInt(bytes.count), &pixels, Int32(scaled.width), 0, Int32(scaled.height),
            Int32(TJPF_RGB.rawValue), 0)
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
