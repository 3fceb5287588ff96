import ByteCoding
import CZlib

/// Compresses a content that comes in portions.
struct Deflater: ~Copyable {
    private let stream: CompressionStream
    private var level: Int32 = 6
    private var taken = 0
    private var given = 0

    init() {
        stream = unsafe CompressionStream({ unsafe tacit_deflate_begin($0, 6) }, end: { unsafe deflateEnd($0) })
    }

    /// Compresses a portion; what comes out goes to `sink`, if there is anything yet.
    mutating func add(_ bytes: Bytes, _ sink: (Bytes) throws -> Void) throws {
        try balance(sink)
        taken += bytes.count
        try run(bytes, Z_NO_FLUSH, sink)
    }

    /// Ends the stream.
    mutating func finish(_ sink: (Bytes) throws -> Void) throws {
        try run([], Z_FINISH, sink)
    }

    /// Readers refuse contents that become too much larger than they were (``ArchiveLimits``). So that whatever is
    /// written can be read, what compresses too well is written uncompressed from time to time.
    private mutating func balance(_ sink: (Bytes) throws -> Void) throws {
        let limits = ArchiveLimits.standard
        let isTooGood = taken > limits.freeExpansion / 2 && taken / max(given, 1) > limits.expansion / 2
        let wanted: Int32 = isTooGood ? 0 : 6
        guard wanted != level else { return }
        level = wanted
        var status = Z_BUF_ERROR
        while status == Z_BUF_ERROR {
            let step = unsafe stream.step([], from: 0) { unsafe deflateParams($0, wanted, Z_DEFAULT_STRATEGY) }
            try pass(step.output, to: sink)
            status = step.status
        }
    }

    private mutating func run(_ bytes: Bytes, _ flush: Int32, _ sink: (Bytes) throws -> Void) throws {
        var offset = 0
        while true {
            let step = unsafe stream.step(bytes, from: offset) { unsafe deflate($0, flush) }
            offset += step.used
            try pass(step.output, to: sink)
            let isDone = flush == Z_FINISH ? step.status == Z_STREAM_END : offset == bytes.count
            // A full portion may be followed by more.
            if isDone, flush == Z_FINISH || step.output.count < CompressionStream.portion { return }
        }
    }

    private mutating func pass(_ output: Bytes, to sink: (Bytes) throws -> Void) throws {
        guard !output.isEmpty else { return }
        given += output.count
        try sink(output)
    }
}
