/// Compressed byte strings, over libzstd.
///
/// ``Zstandard`` turns one byte string into one frame (RFC 8878) and back. There are no streams, dictionaries or files:
/// what is compressed here is a chat message or the data of a link, some kilobytes that are in memory anyway.
///
/// Frames come from peers. Whoever reads one names the most bytes it may become, and no more than that is allocated,
/// whatever the frame claims or does.
///
/// ```swift
/// let text = try Zstandard.decompress(frame, limit: 65536)
/// ```
internal import CZstd

/// Why a frame was not decompressed. It never holds any of the input.
public enum CompressionError: Error, Hashable, Sendable {
    /// The input ended before the frame did.
    case truncated
    /// The frame was complete, but input remained.
    case trailing
    /// The input is not a frame, or a damaged one.
    case invalid
    /// The content is larger than the reader allows.
    case tooLarge
}

extension CompressionError {
    /// The meaning of a status that libzstd says is an error.
    init(status: Int) {
        let code = ZSTD_getErrorCode(status)
        precondition(code != ZSTD_error_memory_allocation, "out of memory")
        switch code {
        case ZSTD_error_srcSize_wrong: self = .truncated
        case ZSTD_error_dstSize_tooSmall: self = .tooLarge
        default: self = .invalid
        }
    }
}
