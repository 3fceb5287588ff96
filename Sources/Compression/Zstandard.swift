public import ByteCoding
internal import CZstd

/// The reason why a frame was not decompressed. It contains nothing of the input.
public enum CompressionError: Error, Hashable, Sendable {
    /// The input ended before the frame.
    case truncated
    /// Input remained after the frame.
    case trailing
    /// The input is not a frame, or is damaged.
    case invalid
    /// The content exceeds the limit.
    case tooLarge
}

extension CompressionError {
    /// Creates the error of a status of libzstd.
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
    /// The compression level of the official clients. All levels are compatible.
    public static let defaultLevel = 3

    /// The magic number of a frame (RFC 8878 3.1.1). Skippable frames and draft frames have others.
    private static let magicNumber: Bytes = [0x28, 0xb5, 0x2f, 0xfd]

    /// Compresses `bytes` into one frame. The header contains the size of the content; there is no checksum (chat.md
    /// 1.4).
    ///
    /// Levels below 1 and above 22 count as these.
    public static func compress(_ bytes: Bytes, level: Int = defaultLevel) -> Bytes {
        let capacity = ZSTD_compressBound(bytes.count)
        return unsafe Bytes(unsafeUninitializedCapacity: capacity) { output, count in
            let written = unsafe ZSTD_compress(
                output.baseAddress, capacity, bytes, bytes.count, Int32(min(max(level, 1), 22)))
            // There is no other failure: the output has room for the worst case.
            precondition(ZSTD_isError(written) == 0, "out of memory")
            count = written
        }
    }

    /// Decompresses `frame`, which must be exactly one frame.
    ///
    /// The format allows several frames and skippable frames. No sender of this protocol creates them, so input after
    /// the first frame is rejected as ``CompressionError/trailing``, and a leading skippable frame as
    /// ``CompressionError/invalid``.
    ///
    /// SECURITY: at most `limit` bytes are allocated for the content. A frame with a larger declared size is rejected
    /// unread; a frame without a declared size, or with a smaller one, is stopped at the end of the buffer. Content is
    /// written directly to the output, so that the window size of the frame allocates nothing; libzstd itself takes
    /// about 160 kB. A frame without a declared size allocates all `limit` bytes at once: choose a limit that the
    /// caller can afford.
    ///
    /// - Throws: ``CompressionError``.
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
            // A frame that exceeds its declared size is damaged, below any limit.
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
