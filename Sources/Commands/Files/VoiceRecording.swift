import ByteCoding
import SystemIO
import TerminalKit

/// A recording whose length stands in its container: Ogg with Opus (RFC 7845) or MPEG-4, as M4A files have it (ISO 14496-12).
struct VoiceRecording {
    /// The length of the sound.
    let duration: Duration

    /// The longest sound that is believed: a day.
    private static let longest = Duration.seconds(86_400)
    /// The largest page of Ogg, and more (RFC 3533 6).
    private static let tailSize = 1 << 17
    /// The most boxes of MPEG-4 that are read on one level.
    private static let mostBoxes = 1000

    /// Reads the length of a recording.
    ///
    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - read: Returns a number of bytes at an offset, or fewer at the end of the file.
    /// - Returns: Nil for another container, or one without a length.
    init?(size: Int, _ read: (_ count: Int, _ offset: Int) throws -> Bytes) rethrows {
        let beginning = try read(64, 0)
        let found: Duration?
        if beginning.starts(with: "OggS".utf8) {
            found = VoiceRecording.opus(
                beginning, try read(VoiceRecording.tailSize, max(0, size - VoiceRecording.tailSize)))
        } else if beginning.dropFirst(4).starts(with: "ftyp".utf8) {
            found = try VoiceRecording.movie(size, read)
        } else {
            found = nil
        }
        guard let found, found > .zero, found <= VoiceRecording.longest else { return nil }
        duration = found
    }

    // MARK: - Ogg

    /// The length by the position of the last page, which counts samples of 48 kHz, without those that are skipped.
    private static func opus(_ beginning: Bytes, _ tail: Bytes) -> Duration? {
        // One segment before the packet, which has 19 bytes or more.
        guard beginning.count > 26, let segments = beginning[at: 26] else { return nil }
        let head = Bytes(beginning.dropFirst(27 + Int(segments)))
        guard head.starts(with: "OpusHead".utf8), let low = head[at: 10], let high = head[at: 11] else { return nil }
        let skipped = Int64(low) | Int64(high) << 8
        var last: Int64?
        var index = tail.startIndex
        while index + 27 <= tail.count {
            if tail[index...].starts(with: "OggS".utf8), tail[index + 4] == 0 {
                let position = Int64(littleEndian: tail[index + 6..<index + 14])
                // A page on which no packet ends has no position.
                if position != -1 { last = position }
            }
            index += 1
        }
        guard let last, last > skipped, last < 1 << 40 else { return nil }
        return .milliseconds((last - skipped) / 48)
    }

    // MARK: - MPEG-4

    /// The length by the header of the movie.
    private static func movie(_ size: Int, _ read: (Int, Int) throws -> Bytes) rethrows -> Duration? {
        guard let movie = try box("moov", from: 0, to: size, read),
            let header = try box("mvhd", from: movie.lowerBound, to: movie.upperBound, read)
        else { return nil }
        let bytes = try read(min(32, header.count), header.lowerBound)
        guard let version = bytes.first, version <= 1 else { return nil }
        let times = version == 0 ? (scale: 12, duration: 16, size: 4) : (scale: 20, duration: 24, size: 8)
        guard bytes.count >= times.duration + times.size else { return nil }
        let scale = Int64(bigEndian: bytes[times.scale..<times.scale + 4])
        let count = Int64(bigEndian: bytes[times.duration..<times.duration + times.size])
        guard scale > 0, count > 0, count < 1 << 50 else { return nil }
        return .milliseconds(count * 1000 / scale)
    }

    /// The content of the first box of a type.
    private static func box(
        _ type: String, from start: Int, to end: Int, _ read: (Int, Int) throws -> Bytes
    ) rethrows -> Range<Int>? {
        var offset = start
        for _ in 0..<mostBoxes {
            let head = try read(16, offset)
            guard head.count >= 8 else { return nil }
            var size = Int64(bigEndian: head[0..<4]), headSize = 8
            if size == 0 { size = Int64(end - offset) }
            if size == 1 {
                guard head.count == 16 else { return nil }
                (size, headSize) = (Int64(bigEndian: head[8..<16]), 16)
            }
            guard size >= Int64(headSize), size <= Int64(end - offset) else { return nil }
            if head[4..<8].elementsEqual(type.utf8) { return offset + headSize..<offset + Int(size) }
            offset += Int(size)
        }
        return nil
    }
}

extension Int64 {
    /// Reads up to eight bytes, the first of which is the lowest.
    fileprivate init(littleEndian bytes: ArraySlice<UInt8>) {
        self = Int64(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Reads up to eight bytes, the first of which is the highest.
    fileprivate init(bigEndian bytes: ArraySlice<UInt8>) {
        self = Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension Bytes {
    fileprivate subscript(at index: Int) -> UInt8? { indices.contains(index) ? self[index] : nil }
}

/// A recording that is sent as a voice message.
struct VoiceMessage: Sendable {
    /// The absolute path of the recording.
    let path: String
    /// The length in whole seconds, at least one.
    let seconds: Int64

    /// Looks at a recording.
    ///
    /// - Parameter duration: The length as the user gives it; nil for that of the file.
    /// - Throws: ``Failure`` for a file without a length.
    init(_ word: String, lasting duration: Duration?) throws {
        path = LocalPath.absolute(word)
        guard let duration = try duration ?? VoiceMessage.duration(of: path) else {
            throw Failure.noVoiceDuration(word)
        }
        seconds = max(1, (duration + .milliseconds(500)).components.seconds)
    }

    private static func duration(of path: String) throws -> Duration? {
        // The core says that a file is missing.
        guard Files.exists(path), !Files.isFolder(path) else { return .seconds(1) }
        let file = try FileDescriptor(reading: path)
        return try VoiceRecording(size: try file.status().size) { count, offset in try file.read(count, at: offset) }?
            .duration
    }
}
