import ByteCoding
import CZlib

/// Decompresses a content portion by portion, no further than is asked for.
struct Inflater: ~Copyable {
    private let stream: CompressionStream
    private(set) var isFinished = false

    init() {
        stream = unsafe CompressionStream({ unsafe tacit_inflate_begin($0) }, end: { unsafe inflateEnd($0) })
    }

    /// What comes out of `input` from `offset` on, and how much of it was used. Nothing and nothing used at the end of
    /// the stream, or if more input is needed.
    mutating func next(_ input: Bytes, from offset: Int) throws(ZipError) -> (output: Bytes, used: Int) {
        guard !isFinished else { return ([], 0) }
        let step = unsafe stream.step(input, from: offset) { unsafe inflate($0, Z_NO_FLUSH) }
        switch step.status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isFinished = true
        default: throw .damaged
        }
        return (step.output, step.used)
    }
}
