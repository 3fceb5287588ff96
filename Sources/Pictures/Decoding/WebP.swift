import ByteCoding
import CWebP

/// WebP without animations, over libwebp.
extension Picture {
    static func decodeWebP(_ bytes: Bytes, side: Int, limit: Int) throws(PictureError) -> (Picture, PictureSize) {
        var config = unsafe WebPDecoderConfig()
        guard unsafe WebPInitDecoderConfig(&config) != 0,
            unsafe WebPGetFeatures(bytes, bytes.count, &config.input) == VP8_STATUS_OK
        else { throw .unreadable }
        let whole = unsafe (width: Int(config.input.width), height: Int(config.input.height))
        try check(width: whole.width, height: whole.height, limit: limit)
        // The library makes it smaller while it decodes: the whole picture would take four bytes a pixel beside its own.
        let longer = max(whole.width, whole.height), scaled: PictureSize
        if longer > 2 * side {
            scaled = (max(1, whole.width * 2 * side / longer), max(1, whole.height * 2 * side / longer))
            unsafe config.options.use_scaling = 1
            unsafe config.options.scaled_width = Int32(scaled.width)
            unsafe config.options.scaled_height = Int32(scaled.height)
        } else {
            scaled = whole
        }
        let count = scaled.width * scaled.height
        var samples = Bytes(repeating: 0, count: 4 * count)
        let status = unsafe samples.withUnsafeMutableBufferPointer { buffer in
            unsafe config.output.colorspace = MODE_RGBA
            unsafe config.output.is_external_memory = 1
            unsafe config.output.u.RGBA = WebPRGBABuffer(
                rgba: buffer.baseAddress, stride: Int32(4 * scaled.width), size: buffer.count)
            return unsafe WebPDecode(bytes, bytes.count, &config)
        }
        guard status == VP8_STATUS_OK else { throw .unreadable }
        var pixels = Bytes()
        pixels.reserveCapacity(3 * count)
        for pixel in 0..<count {
            // What is transparent becomes white.
            let opacity = Int(samples[4 * pixel + 3])
            for color in 0..<3 {
                let value = Int(samples[4 * pixel + color]) * opacity + 255 * (255 - opacity)
                pixels.append(UInt8(truncatingIfNeeded: value / 255))
            }
        }
        return (Picture(width: scaled.width, height: scaled.height, pixels: pixels), whole)
    }
}
