import ByteCoding
import Testing

@testable import WebSocket

/// The frames of RFC 6455, section 5.7, and what is no frame.
@Suite struct FrameTests {
    static let mask: Bytes = [0x37, 0xfa, 0x21, 0x3d]
    static let hello = Bytes("Hello".utf8)

    /// Frames with their bytes, from the standard.
    static let known: [(Frame, Bytes?, Bytes)] = [
        (Frame(.text, hello), nil, [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]),
        (
            Frame(.text, hello), mask,
            [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        ),
        (Frame(.text, Bytes("Hel".utf8), isFinal: false), nil, [0x01, 0x03, 0x48, 0x65, 0x6c]),
        (Frame(.continuation, Bytes("lo".utf8)), nil, [0x80, 0x02, 0x6c, 0x6f]),
        (Frame(.ping, hello), nil, [0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]),
        (Frame(.pong, hello), mask, [0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]),
        (
            Frame(.binary, Bytes(repeating: 7, count: 256)), nil,
            [0x82, 0x7e, 0x01, 0x00] + Bytes(repeating: 7, count: 256)
        ),
        (
            Frame(.binary, Bytes(repeating: 7, count: 65536)), nil,
            [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0] + Bytes(repeating: 7, count: 65536)
        ),
    ]

    @Test func frames_of_the_standard_are_written() {
        for (frame, mask, bytes) in Self.known { #expect(frame.encoded(mask: mask) == bytes) }
    }

    @Test func lengths_have_their_shortest_form() {
        for (count, size) in [(0, 2), (125, 2), (126, 4), (65535, 4), (65536, 10)] {
            let frame = Frame(.binary, Bytes(repeating: 0, count: count))
            #expect(frame.encoded().count == count + size)
            #expect(frame.encoded(mask: Self.mask).count == count + size + 4)
        }
    }

    @Test func headers_are_read_back() throws {
        for opcode in Opcode.allCases {
            for count in [0, 1, 125, 126, 65535, 65536] where !opcode.isControl || count <= 125 {
                for mask in [nil, Self.mask] {
                    let bytes = Frame(opcode, Bytes(repeating: 1, count: count)).encoded(mask: mask)
                    let header = try #require(try FrameHeader.read(bytes[...]))
                    #expect(header.opcode == opcode && header.length == count && header.mask == mask && header.isFinal)
                    #expect(header.size + count == bytes.count)
                    for length in 0..<header.size { #expect(try FrameHeader.read(bytes.prefix(length)) == nil) }
                }
            }
        }
    }

    /// The first two bytes decide most of it: every value of both.
    @Test func every_start_is_a_frame_or_refused() {
        let rest = Bytes(repeating: 0x01, count: 12)
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let opcode = Opcode(rawValue: first & 0x0f), isFinal = first & 0x80 != 0
                let isAllowed =
                    first & 0x70 == 0
                    && opcode.map { !$0.isControl || (isFinal && second & 0x7f <= 125) } ?? false
                let header = try? FrameHeader.read(([first, second] + rest)[...])
                #expect((header != nil) == isAllowed, "\(first) \(second)")
            }
        }
    }

    @Test(
        arguments: [
            [0x82, 0x7e, 0x00, 0x00], [0x82, 0x7e, 0x00, 0x7d], [0x82, 0x7f, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
            [0x82, 0x7f, 0, 0, 0, 0, 0, 0, 0, 1], [0x82, 0x7f, 0x80, 0, 0, 0, 0, 0, 0, 0],
            [0x82, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ] as [Bytes])
    func lengths_in_a_longer_form_are_refused(bytes: Bytes) {
        #expect(throws: CloseCode.protocolError) { try FrameHeader.read(bytes[...]) }
    }

    @Test func the_reason_of_a_close_is_cut_between_characters() {
        #expect(CloseCode.normal.payload() == [0x03, 0xe8])
        #expect(CloseCode.policy.payload("no") == [0x03, 0xf0, 0x6e, 0x6f])
        let long = CloseCode.normal.payload(String(repeating: "é", count: 100))
        #expect(long.count == 124 && String(validating: long.dropFirst(2), as: UTF8.self) != nil)
    }
}
