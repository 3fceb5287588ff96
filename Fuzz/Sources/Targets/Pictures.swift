import ByteCoding
import Pictures

extension FuzzTarget {
    /// Files with pictures, of which previews are made and metadata removed.
    static let pictures = FuzzTarget(name: "pictures") { input in
        if let file = try? PictureFile(input) {
            let again = try? PictureFile(file.withoutMetadata)
            promise(again?.withoutMetadata == file.withoutMetadata, "metadata are left")
            promise(again?.format == file.format, "the format changes")
        }
        if let preview = try? Preview(of: input, limit: 2000) {
            promise(preview.uri.utf8.count <= 2000, "a preview is larger than its limit")
            promise(preview.width > 0 && preview.height > 0, "a picture has no size")
        }
        if let shown = try? Picture(upright: input, width: 40, height: 30, limit: Picture.mostPreviewPixels) {
            promise(shown.width <= 40 && shown.height <= 30, "a picture is larger than its place")
        }
    }
}
