import ByteCoding
import TestSupport
import Testing

@testable import Commands

/// The length of recordings, by the headers of their containers.
@Suite struct VoiceRecordingTests {
    private func duration(of bytes: Bytes) -> Duration? {
        VoiceRecording(size: bytes.count) { count, offset in
            offset < bytes.count ? Bytes(bytes[offset..<min(bytes.count, offset + count)]) : []
        }?.duration
    }

    private static func little(_ number: UInt64, _ size: Int) -> Bytes {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func big(_ number: UInt64, _ size: Int) -> Bytes { little(number, size).reversed() }

    // MARK: - Ogg

    private static func page(_ position: UInt64, _ packet: Bytes) -> Bytes {
        Bytes("OggS".utf8) + [0, 0] + little(position, 8) + little(1, 4) + little(0, 4) + little(0, 4) + [
            1, UInt8(packet.count),
        ]
            + packet
    }

    /// Two seconds and a half, of which 312 samples are skipped.
    private static let ogg =
        page(0, Bytes("OpusHead".utf8) + [1, 1] + little(312, 2) + little(48000, 4) + [0, 0, 0])
        + page(0, Bytes("OpusTags".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]) + page(60312, [1, 2, 3]) + page(120312, [4, 5, 6])

    @Test func an_ogg_file_tells_its_length() {
        #expect(duration(of: Self.ogg) == .milliseconds(2500))
        // A page on which no packet ends counts nothing.
        #expect(duration(of: Self.ogg + Self.page(.max, [7])) == .milliseconds(2500))
        // Much sound before the last page.
        let sound = Bytes(repeating: 0, count: 300_000), end = Self.page(96312, [1])
        let long = Bytes(Self.ogg.dropLast(31)) + sound + end
        #expect(duration(of: long) == .milliseconds(2000))
    }

    // MARK: - MPEG-4

    private static func box(_ type: String, _ content: Bytes, isLarge: Bool = false) -> Bytes {
        isLarge
            ? big(1, 4) + Bytes(type.utf8) + big(UInt64(content.count + 16), 8) + content
            : big(UInt64(content.count + 8), 4) + Bytes(type.utf8) + content
    }

    private static func movie(_ header: Bytes, isLarge: Bool = false) -> Bytes {
        box("ftyp", Bytes("M4A ".utf8) + big(0, 4)) + box("mdat", Bytes(repeating: 9, count: 5000), isLarge: isLarge)
            + box("moov", box("udta", [1, 2, 3]) + box("mvhd", header + Bytes(repeating: 0, count: 80)))
    }

    private static let short = Bytes(repeating: 0, count: 12) + big(44100, 4) + big(44100 * 7, 4)
    private static let long = [1, 0, 0, 0] + Bytes(repeating: 0, count: 16) + big(1000, 4) + big(65_432, 8)

    @Test func an_m4a_file_tells_its_length() {
        #expect(duration(of: Self.movie(Self.short)) == .seconds(7))
        #expect(duration(of: Self.movie(Self.short, isLarge: true)) == .seconds(7))
        #expect(duration(of: Self.movie(Self.long)) == .milliseconds(65_432))
    }

    @Test func other_files_have_no_length() {
        let noScale = Bytes(repeating: 0, count: 16) + Self.big(44100, 4)
        for bytes in [
            [], [1], Bytes("ID3".utf8), Bytes(repeating: 0, count: 100), Self.movie(noScale), Self.box("ftyp", []),
        ] {
            #expect(duration(of: bytes) == nil)
        }
        // The last position is before the first sound.
        #expect(duration(of: Bytes(Self.ogg.prefix(91))) == nil)
    }

    /// Every truncation, and every changed byte: a length or none, and never a trap.
    @Test func damaged_recordings_never_trap() {
        for bytes in [Self.ogg, Self.movie(Self.short), Self.movie(Self.long, isLarge: true)] {
            var found = 0
            for count in bytes.indices where count < 300 || count % 97 == 0 || count > bytes.count - 200 {
                if let length = duration(of: Bytes(bytes.prefix(count))) { #expect(length > .zero) } else { found += 1 }
                for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                    var changed = bytes
                    changed[count] = value
                    if let length = duration(of: changed) { #expect(length > .zero && length <= .seconds(86_400)) }
                }
            }
            #expect(found > 0)
        }
    }
}
