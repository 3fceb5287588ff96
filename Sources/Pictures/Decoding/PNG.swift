import ByteCoding
import CPNG

/// PNG, over libpng.
extension Picture {
    static func decodePNG(_ bytes: Bytes, limit: Int) throws(PictureError) -> Picture {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&image) }
        guard unsafe png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0 else { throw .unreadable }
        let width = unsafe Int(image.width), height = unsafe Int(image.height)
        try check(width: width, height: height, limit: limit)
        unsafe image.format = TACIT_PNG_RGB
        // What is transparent becomes white.
        var background = png_color(red: 255, green: 255, blue: 255)
        var pixels = Bytes(repeating: 0, count: 3 * width * height)
        guard unsafe png_image_finish_read(&image, &background, &pixels, 0, nil) != 0 else { throw .unreadable }
        return Picture(width: width, height: height, pixels: pixels)
    }
}
