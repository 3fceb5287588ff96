import ByteCoding
import CryptoCore
import TestSupport
import Testing

@testable import Pictures

/// The pictures in `Tests/Vectors/pictures` were written by Pillow 13. Each shows quarters of four colors, 24 pixels wide and 16 high,
/// and metadata with the word SECRET.
@Suite struct PictureTests {
    static let names = [
        "turned-1.jpg", "turned-2.jpg", "turned-3.jpg", "turned-4.jpg", "turned-5.jpg", "turned-6.jpg", "turned-7.jpg",
        "turned-8.jpg", "progressive.jpg", "turned-6.png", "transparent.png", "frames.gif", "interlaced.gif",
        "turned-6.webp", "plain.webp",
    ]

    static func file(_ name: String) throws -> Bytes {
        try VectorFile.bytes("pictures/" + name)
    }

    /// The picture of a file as it is shown.
    private func shown(_ bytes: Bytes) throws -> Picture {
        try Picture.decode(PictureFile(bytes), side: 24).0.turned(from: PictureFile(bytes).orientation)
    }

    /// Checks the colors in the middle of the four quarters.
    private func expectQuarters(_ picture: Picture, _ name: String) {
        #expect((picture.width, picture.height) == (24, 16), "\(name)")
        let colors: [(Int, Int, Bytes)] = [
            (6, 4, [220, 20, 20]), (18, 4, [20, 200, 20]), (6, 12, [20, 20, 220]), (18, 12, [240, 240, 240]),
        ]
        for (x, y, color) in colors {
            let start = 3 * (y * picture.width + x), found = Array(picture.pixels[start..<(start + 3)])
            let isNear = zip(found, color).allSatisfy { abs(Int($0) - Int($1)) <= 12 }
            #expect(isNear, "\(name) at \(x),\(y): \(found)")
        }
    }

    @Test(arguments: names) func picturesAreShownTheRightWayUp(_ name: String) throws {
        expectQuarters(try shown(Self.file(name)), name)
    }

    @Test(arguments: names) func metadataAreRemoved(_ name: String) throws {
        let bytes = try Self.file(name), file = try PictureFile(bytes), clean = file.withoutMetadata
        #expect(!String(decoding: clean, as: UTF8.self).contains("SECRET"))
        #expect(try PictureFile(clean).withoutMetadata == clean)
        // The pixels are those of before, and the orientation is still known.
        #expect(try Picture.decode(PictureFile(clean), side: 24).0 == Picture.decode(file, side: 24).0)
        #expect(try PictureFile(clean).orientation == file.orientation)
    }

    @Test func theRestOfAnAnimationStays() throws {
        let clean = try PictureFile(Self.file("frames.gif")).withoutMetadata
        #expect(clean.count { $0 == 0x2c } >= 2)
        #expect(String(decoding: clean, as: UTF8.self).contains("NETSCAPE2.0"))
    }

    @Test func whatStandsBehindAPictureIsRemoved() throws {
        for name in ["turned-1.jpg", "transparent.png", "interlaced.gif", "plain.webp"] {
            let bytes = try Self.file(name)
            #expect(
                try PictureFile(bytes + Bytes("SECRET film".utf8)).withoutMetadata == PictureFile(bytes).withoutMetadata
            )
        }
    }

    @Test func transparentPixelsAreWhite() throws {
        #expect(
            try Picture.decode(PictureFile(Self.file("transparent.png")), side: 24).0.pixels.prefix(3) == [
                255, 255, 255,
            ])
    }

    @Test func otherFilesAreNoPictures() throws {
        for bytes in [Bytes(), Bytes("hello".utf8), Bytes("RIFFxxxxWAVE".utf8), [0xff, 0xd8]] {
            #expect(PictureFormat(beginning: bytes) == nil)
            #expect(throws: PictureError.unknownFormat) { try PictureFile(bytes) }
            #expect(throws: PictureError.unknownFormat) { try Preview(of: bytes) }
        }
        #expect(throws: PictureError.unreadable) { try Preview(of: Self.file("cmyk.jpg")) }
    }

    // MARK: - Previews

    @Test func previewsAreSmallPictures() throws {
        for name in Self.names {
            let preview = try Preview(of: Self.file(name))
            #expect((preview.width, preview.height) == (24, 16), "\(name)")
            let start = "data:image/jpg;base64,"
            #expect(preview.uri.hasPrefix(start))
            let small = try Base64.decode(String(preview.uri.dropFirst(start.count)))
            expectQuarters(try Picture.decode(PictureFile(small), side: 24).0, name)
        }
    }

    @Test func previewsFitTheirLimit() throws {
        // Noise cannot be made small without losing pixels.
        let noise = Picture(width: 900, height: 700, pixels: SeededRandom(seed: 7).bytes(3 * 900 * 700))
        let bytes = try noise.jpeg(quality: 95)
        var former = Int.max
        for limit in [Preview.mostCharacters, 6000, 1200] {
            let preview = try Preview(of: bytes, limit: limit)
            #expect((preview.width, preview.height) == (900, 700))
            #expect(preview.uri.utf8.count <= limit)
            #expect(preview.uri.utf8.count < former)
            former = preview.uri.utf8.count
        }
        #expect(throws: PictureError.tooLarge) { try Preview(of: bytes, limit: 40) }
    }

    @Test func picturesKeepTheirProportions() {
        let picture = Picture(width: 300, height: 100, pixels: Bytes(repeating: 9, count: 90_000))
        let small = picture.fitted(to: 30)
        #expect((small.width, small.height) == (30, 10))
        #expect(small.pixels == Bytes(repeating: 9, count: 900))
        #expect(picture.fitted(to: 300) == picture)
        let line = Picture(width: 4000, height: 1, pixels: Bytes(repeating: 1, count: 12_000)).fitted(to: 10)
        #expect((line.width, line.height) == (10, 1))
    }

    // MARK: - Damaged files

    /// A file that is cut short or changed is read or refused, and never more than that.
    @Test(arguments: names) func damagedFilesAreRefused(_ name: String) throws {
        let bytes = try Self.file(name)
        for count in bytes.indices { _ = try? Preview(of: bytes.prefix(count) + []) }
        for index in bytes.indices {
            for change: UInt8 in [0x01, 0x80, 0xff] {
                var changed = bytes
                changed[index] ^= change
                _ = try? PictureFile(changed)
                _ = try? Preview(of: changed)
            }
        }
    }

    @Test func hugePicturesAreRefusedUnread() throws {
        // A PNG header that promises 60,000 x 60,000 pixels.
        var png = try Self.file("transparent.png")
        png.replaceSubrange(16..<24, with: [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60])
        #expect(throws: PictureError.self) { try Preview(of: png) }
        var gif = try Self.file("interlaced.gif")
        gif.replaceSubrange(6..<10, with: [0xff, 0xff, 0xff, 0xff])
        #expect(throws: PictureError.tooLarge) { try Preview(of: gif) }
        // The largest size that a WebP header has.
        var webp = try Self.file("plain.webp")
        let place = try #require(webp.indices.first { webp[$0...].starts(with: Bytes("VP8L".utf8)) }) + 9
        webp.replaceSubrange(place..<(place + 4), with: [0xff, 0xff, 0xff, webp[place + 3] | 0x0f])
        #expect(throws: PictureError.tooLarge) { try Preview(of: webp) }
    }

    /// A JPEG file with another size in its frame header.
    private func jpeg(
        _ name: String, width: Int, height: Int, change: (inout Bytes, Int) -> Void = { _, _ in }
    ) throws -> Bytes {
        var bytes = try PictureFile(Self.file(name)).withoutMetadata
        let place = try #require(
            bytes.indices.dropLast(10).first { bytes[$0] == 0xff && [0xc0, 0xc2].contains(bytes[$0 + 1]) })
        let size = [height >> 8, height, width >> 8, width].map { UInt8(truncatingIfNeeded: $0) }
        bytes.replaceSubrange((place + 5)..<(place + 9), with: size)
        change(&bytes, place)
        return bytes
    }

    /// The decoder of a progressive file keeps the coefficients of all pixels, however small the picture is to be: 9 GB for
    /// this one.
    @Test func hugeProgressivePicturesAreRefusedUnread() throws {
        let progressive = try jpeg("progressive.jpg", width: 56_000, height: 56_000)
        #expect(throws: PictureError.tooLarge) { try Preview(of: progressive) }
        // Row by row it takes little memory, and the largest cameras make such pictures.
        let large = try Preview(of: jpeg("turned-1.jpg", width: 16_320, height: 12_240))
        #expect((large.width, large.height) == (16_320, 12_240))
        let larger = try jpeg("turned-1.jpg", width: 65_500, height: 65_500)
        #expect(throws: PictureError.tooLarge) { try Preview(of: larger) }
        // A frame that announces more components than its only scan has is decoded as a progressive one is.
        let single = try jpeg("turned-1.jpg", width: 16_320, height: 12_240) { bytes, _ in
            let scan = bytes.indices.dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xda }
            guard let scan else { return }
            bytes.replaceSubrange((scan + 2)..<(scan + 14), with: [0, 8, 1, bytes[scan + 5], 0, 0, 63, 0])
        }
        #expect(throws: PictureError.tooLarge) { try Preview(of: single) }
    }

    /// Each scan visits all coefficients again.
    @Test func picturesOfManyScansAreRefusedUnread() throws {
        let bytes = try jpeg("progressive.jpg", width: 8000, height: 8000)
        #expect(throws: Never.self) { try Picture.decode(PictureFile(bytes), side: 24) }
        let more = Array(repeating: [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, 0] as Bytes, count: 400).flatMap { $0 }
        #expect(throws: PictureError.tooLarge) {
            try Picture.decode(PictureFile(Bytes(bytes.dropLast(2)) + more + [0xff, 0xd9]), side: 24)
        }
    }

    /// Arithmetic coding decodes endless data from none, and programs that show pictures do not read it either.
    @Test(arguments: [0xc9, 0xca] as [UInt8]) func arithmeticCodingIsNotRead(_ marker: UInt8) throws {
        let bytes = try jpeg("turned-1.jpg", width: 24, height: 16) { $0[$1 + 1] = marker }
        #expect(throws: PictureError.unreadable) { try Preview(of: bytes) }
    }

    @Test func previewsOfMessagesHaveASmallerLimit() throws {
        let bytes = try jpeg("turned-1.jpg", width: 3000, height: 3000)
        #expect(throws: PictureError.tooLarge) {
            try Picture(upright: bytes, width: 10, height: 10, limit: Picture.mostPreviewPixels)
        }
        #expect(try Picture(upright: bytes, width: 10, height: 10).width == 10)
    }
}
