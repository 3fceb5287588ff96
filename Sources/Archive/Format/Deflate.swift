import ByteCoding
import CZlib

/// A zlib stream with its memory.
///
/// The stream has a fixed address, because zlib keeps a pointer to it.
@safe
struct CompressionStream: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let end: (UnsafeMutablePointer<z_stream>) -> Int32

    /// The size of an output portion in bytes.
    static let portion = 1 << 18

    init(
        _ begin: (UnsafeMutablePointer<z_stream>) -> Int32, end: @escaping (UnsafeMutablePointer<z_stream>) -> Int32
    ) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe begin(stream)
        // There is no other reason for a failure.
        precondition(status == Z_OK, "out of memory")
        unsafe self.stream = unsafe stream
        unsafe self.end = unsafe end
    }

    deinit {
        _ = unsafe end(stream)
        unsafe stream.deallocate()
    }

    /// The result of one call.
    struct Step {
        let output: Bytes
        /// The number of input bytes used.
        let used: Int
        /// The status of zlib.
        let status: Int32
    }

    /// Calls `function` once with room for `room` bytes.
    borrowing func step(
        _ input: Bytes, from offset: Int, room: Int = CompressionStream.portion,
        _ function: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> Step {
        var status: Int32 = 0, used = 0
        let output = unsafe Bytes(unsafeUninitializedCapacity: room) { output, count in
            unsafe input.withUnsafeBytes { input in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: input[offset...])
                // zlib does not write to its input, despite its type.
                let start = unsafe rest.assumingMemoryBound(to: UInt8.self).baseAddress
                unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: start)
                unsafe stream.pointee.avail_in = UInt32(rest.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                status = unsafe function(stream)
                used = unsafe rest.count - Int(stream.pointee.avail_in)
                count = unsafe room - Int(stream.pointee.avail_out)
            }
        }
        precondition(status != Z_MEM_ERROR, "out of memory")
        return Step(output: output, used: used, status: status)
    }
}

/// A compressor of content in portions.
struct Deflater: ~Copyable {
    private let stream: CompressionStream
    private var level: Int32 = 6
    private var taken = 0
    private var given = 0

    init() {
        stream = unsafe CompressionStream({ unsafe tacit_deflate_begin($0, 6) }, end: { unsafe deflateEnd($0) })
    }

    /// Compresses a portion. The output, if any, goes to `sink`.
    mutating func add(_ bytes: Bytes, _ sink: (Bytes) throws -> Void) throws {
        try balance(sink)
        taken += bytes.count
        try run(bytes, Z_NO_FLUSH, sink)
    }

    /// Ends the stream.
    mutating func finish(_ sink: (Bytes) throws -> Void) throws {
        try run([], Z_FINISH, sink)
    }

    /// Limits the ratio of compression. Readers reject content above an expansion ratio (``ArchiveLimits``), so content
    /// that compresses too well is stored uncompressed from time to time.
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

/// A decompressor of content in portions, on demand.
struct Inflater: ~Copyable {
    private let stream: CompressionStream
    private(set) var isFinished = false

    init() {
        stream = unsafe CompressionStream({ unsafe tacit_inflate_begin($0) }, end: { unsafe inflateEnd($0) })
    }

    /// Decompresses `input` from `offset` on, and returns the output and the number of input bytes used. Both are empty
    /// at the end of the stream, or if more input is needed.
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

/// The CRC-32 of content in portions.
struct Checksum {
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: Bytes) {
        value = UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(value), bytes, bytes.count))
    }
}
