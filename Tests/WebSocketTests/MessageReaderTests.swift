import ByteCoding
import Testing

@testable import WebSocket

/// Messages of frames, whole and in parts, and what is against the protocol.
@Suite struct MessageReaderTests {
    typealias Incoming = MessageReader.Incoming

    static func masked(_ frame: Frame) -> Bytes { frame.encoded(mask: FrameTests.mask) }

    /// What a reader makes of bytes, all at once, and how it ended.
    static func read(
        _ bytes: Bytes, _ end: MessageReader.End = .server, limit: Int = MessageReader.defaultLimit
    ) -> (found: [Incoming], code: CloseCode?) {
        var reader = MessageReader(end, limit: limit), found: [Incoming] = []
        reader.take(bytes)
        do throws(CloseCode) {
            while let incoming = try reader.next() { found.append(incoming) }
            return (found, nil)
        } catch {
            return (found, error)
        }
    }

    static func read(_ frames: Frame..., limit: Int = MessageReader.defaultLimit) -> (
        found: [Incoming], code: CloseCode?
    ) {
        read(frames.flatMap(masked), limit: limit)
    }

    @Test func known_frames_are_read() {
        let texts: [Incoming] = [.text("Hello")]
        #expect(Self.read([0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]).found == texts)
        #expect(Self.read([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], .client).found == texts)
        #expect(
            Self.read([0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f], .client).found == texts, "in parts")
        #expect(
            Self.read(Frame(.ping, FrameTests.hello), Frame(.pong, [])).found == [.ping(FrameTests.hello), .pong([])])
    }

    @Test func masks_are_for_clients_alone() {
        #expect(Self.read(Frame(.text, FrameTests.hello).encoded()).code == .protocolError)
        #expect(Self.read(Self.masked(Frame(.text, FrameTests.hello)), .client).code == .protocolError)
    }

    @Test func control_frames_stand_between_parts() {
        let (found, code) = Self.read(
            Frame(.text, Bytes("a".utf8), isFinal: false), Frame(.ping, [1]), Frame(.continuation, [], isFinal: false),
            Frame(.continuation, Bytes("b".utf8)), Frame(.binary, [9]))
        #expect(found == [.ping([1]), .text("ab"), .binary([9])] && code == nil)
    }

    @Test func parts_in_a_wrong_order_are_refused() {
        #expect(Self.read(Frame(.continuation, [1])).code == .protocolError)
        let begun = Frame(.text, [0x61], isFinal: false)
        #expect(Self.read(begun, begun).code == .protocolError)
        #expect(Self.read(begun, Frame(.text, [0x61])).code == .protocolError)
        #expect(Self.read(begun, Frame(.binary, [0x61])).code == .protocolError)
    }

    @Test func characters_may_be_split_and_must_be_whole() {
        let text = Bytes("κόσμε 🙂".utf8)
        for cut in 0...text.count {
            let found = Self.read(
                Frame(.text, Bytes(text[..<cut]), isFinal: false), Frame(.continuation, Bytes(text[cut...]))
            ).found
            #expect(found == [.text("κόσμε 🙂")], "\(cut)")
        }
        // Overlong, a surrogate, beyond the last, alone, cut off.
        for bytes in [[0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80], [0xe2, 0x82]] as [Bytes] {
            #expect(Self.read(Frame(.text, bytes)).code == .invalidText)
            #expect(Self.read(Frame(.binary, bytes)).found == [.binary(bytes)])
            #expect(
                Self.read(Frame(.text, [0x61], isFinal: false), Frame(.continuation, bytes)).code == .invalidText)
        }
    }

    @Test func a_message_has_a_limit_however_it_comes() {
        let five = Bytes(repeating: 0x61, count: 5)
        #expect(Self.read(Frame(.text, five), limit: 5).found == [.text("aaaaa")])
        #expect(Self.read(Frame(.text, five), limit: 4).code == .tooLarge)
        #expect(
            Self.read(Frame(.text, five, isFinal: false), Frame(.continuation, [0x61]), limit: 5).code == .tooLarge)
        #expect(
            Self.read(Frame(.text, five), Frame(.text, five), limit: 5).found.count == 2, "each for itself")
        // It is refused before it arrives.
        #expect(Self.read([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]).code == .tooLarge)
    }

    @Test func very_many_parts_are_one_message() {
        var reader = MessageReader(.server)
        reader.take(Self.masked(Frame(.text, [0x61], isFinal: false)))
        let part = Self.masked(Frame(.continuation, [0x61], isFinal: false))
        reader.take(Bytes((0..<200_000).flatMap { _ in part }))
        reader.take(Self.masked(Frame(.continuation, [])))
        #expect(throws: Never.self) {
            guard case .text(let text)? = try reader.next() else { return #expect(Bool(false)) }
            #expect(text.utf8.count == 200_001)
        }
    }

    @Test func a_close_is_the_last() {
        let (found, code) = Self.read(Frame(.close, CloseCode.goingAway.payload("bye")), Frame(.text, [0x61]))
        #expect(found == [.close(.goingAway)] && code == nil)
        #expect(Self.read(Frame(.close, [])).found == [.close(nil)])
        #expect(Self.read(Frame(.close, [3])).code == .protocolError)
        #expect(Self.read(Frame(.close, [0x03, 0xe8, 0xff])).code == .invalidText)
    }

    @Test func only_some_codes_may_be_sent() {
        for number in UInt16.min...UInt16.max {
            let isAllowed =
                [1000, 1001, 1002, 1003].contains(number) || (1007...1014).contains(number)
                || (3000...4999).contains(number)
            let code = Self.read(Frame(.close, [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])).code
            #expect((code == nil) == isAllowed, "\(number)")
        }
    }

    private static let conversation: [Frame] = [
        Frame(.text, Bytes(#"{"corrId":"1","cmd":"/user"}"#.utf8)), Frame(.ping, [1, 2]),
        Frame(.text, Bytes("grüße".utf8), isFinal: false), Frame(.pong, []), Frame(.continuation, Bytes("🙂".utf8)),
        Frame(.binary, Bytes(repeating: 3, count: 200)), Frame(.close, CloseCode.normal.payload("done")),
    ]

    @Test func bytes_may_arrive_in_any_portions() {
        let bytes = Self.conversation.flatMap(Self.masked), whole = Self.read(bytes).found
        #expect(whole.count == 6)
        for size in [1, 2, 3, 7, 50] {
            var reader = MessageReader(.server), found: [Incoming] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.take(Bytes(bytes[start..<min(start + size, bytes.count)]))
                while let incoming = try? reader.next() { found.append(incoming) }
            }
            #expect(found == whole, "\(size)")
        }
    }

    @Test func every_truncation_waits_for_more() {
        let bytes = Self.conversation.flatMap(Self.masked)
        for length in 0..<bytes.count { #expect(Self.read(Bytes(bytes.prefix(length))).code == nil) }
    }

    /// Whatever one byte becomes, the reader ends in order: with messages, a wait, or a code.
    @Test func changed_bytes_do_no_harm() {
        let bytes = Self.conversation.flatMap(Self.masked)
        for index in bytes.indices {
            for change in [1, 0x80, 0xff, 0x55] as [UInt8] {
                var changed = bytes
                changed[index] ^= change
                _ = Self.read(changed)
            }
        }
    }
}
