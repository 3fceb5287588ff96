import ByteCoding
import CWebP

/// WebP without animations, over libwebp.
extension Picture {
    static func decodeWebP(_ bytes: Bytes) throws(PictureError) -> Picture {
        var width: Int32 = 0, height: Int32 = 0
        guard unsafe WebPGetInfo(bytes, bytes.count, &width, &height) != 0 else { throw .unreadable }
        try check(width: Int(width), height: Int(height))
        let count = Int(width) * Int(height)
        var samples = Bytes(repeating: 0, count: 4 * count)
        guard unsafe WebPDecodeRGBAInto(bytes, bytes.count, &samples, samples.count, 4 * width) != nil else {
            throw .unreadable
        }
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
        return Picture(width: Int(width), height: Int(height), pixels: pixels)
    }
}
