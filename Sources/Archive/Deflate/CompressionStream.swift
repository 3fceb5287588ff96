import ByteCoding
import CZlib

/// A stream of zlib with its memory, and the portions that go through it.
///
/// The stream has a fixed address: zlib keeps a pointer to it.
@safe
struct CompressionStream: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let end: (UnsafeMutablePointer<z_stream>) -> Int32

    /// How much comes out at a time, in bytes.
    static let portion = 1 << 18

    init(
        _ begin: (UnsafeMutablePointer<z_stream>) -> Int32, end: @escaping (UnsafeMutablePointer<z_stream>) -> Int32
    ) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe begin(stream)
        // It can fail for no other reason.
        precondition(status == Z_OK, "out of memory")
        unsafe self.stream = unsafe stream
        unsafe self.end = unsafe end
    }

    deinit {
        _ = unsafe end(stream)
        unsafe stream.deallocate()
    }

    /// What one call did.
    struct Step {
        let output: Bytes
        /// How many bytes of the input were used.
        let used: Int
        /// As zlib says it.
        let status: Int32
    }

    /// Calls `function` once, with room for `room` bytes.
    borrowing func step(
        _ input: Bytes, from offset: Int, room: Int = CompressionStream.portion,
        _ function: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> Step {
        var status: Int32 = 0, used = 0
        let output = unsafe Bytes(unsafeUninitializedCapacity: room) { output, count in
            unsafe input.withUnsafeBytes { input in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: input[offset...])
                // zlib does not write to its input, whatever the type says.
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
