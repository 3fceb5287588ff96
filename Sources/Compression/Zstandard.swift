public import ByteCoding
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

/// One-shot Zstandard compression (RFC 8878).
public enum Zstandard {
    /// The compression level of the official clients. Any level reads the same.
    public static let defaultLevel = 3

    /// The first bytes of a frame (RFC 8878 section 3.1.1). Skippable frames and those of drafts begin with others.
    private static let magicNumber: Bytes = [0x28, 0xb5, 0x2f, 0xfd]

    /// One frame with `bytes` as its content. The header says how large the content is; there is no checksum.
    ///
    /// Levels below 1 and above 22 count as these.
    public static func compress(_ bytes: Bytes, level: Int = defaultLevel) -> Bytes {
        let capacity = ZSTD_compressBound(bytes.count)
        return unsafe Bytes(unsafeUninitializedCapacity: capacity) { output, count in
            let written = unsafe ZSTD_compress(
                output.baseAddress, capacity, bytes, bytes.count, Int32(min(max(level, 1), 22)))
            // Cannot fail for another reason: the output has room for the worst case.
            precondition(ZSTD_isError(written) == 0, "out of memory")
            count = written
        }
    }

    /// The content of `frame`, which must be exactly one frame.
    ///
    /// The format lets several frames follow each other, with skippable ones between them. No sender makes such input
    /// here, so whatever comes behind the first frame is refused as ``CompressionError/trailing``, and input that
    /// begins with a skippable frame as ``CompressionError/invalid``.
    ///
    /// SECURITY: at most `limit` bytes are allocated for the content. A frame that claims more is refused unread; one
    /// that claims nothing, or less than it holds, is stopped when the room is used up. Content is written straight to
    /// the output, so that the window size of the frame allocates nothing; libzstd itself takes a fixed 160 kB or so.
    /// A frame that claims nothing gets all `limit` bytes at once: it has to be a size that the caller can afford.
    public static func decompress(_ frame: Bytes, limit: Int) throws(CompressionError) -> Bytes {
        guard frame.starts(with: magicNumber) else {
            throw magicNumber.starts(with: frame) ? .truncated : .invalid
        }
        let length = unsafe ZSTD_findFrameCompressedSize(frame, frame.count)
        guard ZSTD_isError(length) == 0 else { throw CompressionError(status: length) }
        guard length == frame.count else { throw .trailing }

        let claimed = unsafe ZSTD_getFrameContentSize(frame, frame.count)
        guard claimed != TACIT_ZSTD_SIZE_ERROR else { throw .invalid }
        let isClaimed = claimed != TACIT_ZSTD_SIZE_UNKNOWN
        guard !isClaimed || claimed <= limit else { throw .tooLarge }
        do throws(CompressionError) {
            return try content(of: frame, capacity: isClaimed ? Int(claimed) : max(limit, 0))
        } catch {
            // More than was claimed is damage, whatever the limit is.
            throw error == .tooLarge && isClaimed ? .invalid : error
        }
    }

    private static func content(of frame: Bytes, capacity: Int) throws(CompressionError) -> Bytes {
        var failure: CompressionError?
        let content = unsafe Bytes(unsafeUninitializedCapacity: capacity) { output, count in
            let written = unsafe ZSTD_decompress(output.baseAddress, capacity, frame, frame.count)
            if ZSTD_isError(written) == 0 {
                count = written
            } else {
                failure = CompressionError(status: written)
            }
        }
        if let failure { throw failure }
        return content
    }
}
