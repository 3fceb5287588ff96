import ByteCoding
import ChatProtocol
import Compression
import CryptoCore
import TestSupport
import Testing

@Suite struct PayloadTests {
    private static let text = #"{"event":"x.ok","params":{},"v":"1-19"}"#
    private static let ok = ChatElement(bytes: Bytes(text.utf8), content: .success(.message(ChatMessage(event: .ok))))

    private func elements(_ text: String) -> [ChatElement] {
        ChatPayload.elements(of: Bytes(text.utf8))
    }

    private func failures(_ payload: Bytes) -> [PayloadError?] {
        ChatPayload.elements(of: payload).map { element in
            if case .failure(let error) = element.content { error } else { nil }
        }
    }

    private func failures(_ text: String) -> [PayloadError?] {
        failures(Bytes(text.utf8))
    }

    @Test func firstByteDecides() {
        #expect(elements(PayloadTests.text) == [PayloadTests.ok])
        #expect(elements("") == [ChatElement(bytes: [], content: .failure(.empty))])
        for text in [" \(PayloadTests.text)", "\"a\"", "null", "{}"] {
            #expect(elements(text).map(\.bytes) == [Bytes(text.utf8)])
        }
        #expect(failures(" \(PayloadTests.text)") == [.unknownForm])
        #expect(failures("\u{0}") == [.unknownForm])
        #expect(failures("{}") == [.malformed(.invalid("event"))])
        #expect(failures("{") == [.malformed(.truncated)])
        #expect(failures("F") == [.malformed(.truncated)])
        #expect(failures("/D\u{0}\(PayloadTests.text)") == [.malformed(.invalid("empty list"))])
        #expect(failures(">C\(PayloadTests.text)") == [.malformed(.invalid("time"))])
    }

    // MARK: - Arrays

    @Test func elements_have_separate_results() throws {
        let text = PayloadTests.text
        let spaced = elements("[ \(text)\n,{},\(text) ,7,{\"a\":[1}],\"]\",[\(text)]]")
        try #require(spaced.count == 7)
        #expect(spaced[0] == PayloadTests.ok)
        #expect(spaced[2] == PayloadTests.ok)
        for (index, bytes) in [(1, "{}"), (3, "7"), (4, "{\"a\":[1}]"), (5, "\"]\""), (6, "[\(text)]")] {
            #expect(spaced[index].bytes == Bytes(bytes.utf8))
        }
        let expected: [PayloadError?] = [
            nil, .malformed(.invalid("event")), nil, .malformed(.invalid("object")), .malformed(.invalid("json")),
            .malformed(.invalid("object")), .malformed(.invalid("object")),
        ]
        #expect(failures("[ \(text)\n,{},\(text) ,7,{\"a\":[1}],\"]\",[\(text)]]") == expected)
        // One that is too deep does not matter to the others either.
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(failures("[\(deep),\(text)]") == [.malformed(.invalid("json depth")), nil])
        #expect(failures("[,\(text),]") == [.malformed(.truncated), nil, .malformed(.truncated)])
    }

    @Test func commasAndBracketsInStrings() {
        let text = #"{"event":"x.ok","params":{"a":"],[\"\\","b":"\\\"}"},"v":"1-19"}"#
        let message = ChatElement.Content.message(ChatMessage(event: .ok))
        let element = ChatElement(bytes: Bytes(text.utf8), content: .success(message))
        #expect(elements("[\(text),\(text)]") == [element, element])
    }

    @Test func malformed_arrays_are_one_error() {
        #expect(elements("[]") == [])
        #expect(elements("[ \n]") == [])
        let text = PayloadTests.text
        for (payload, error) in [
            ("[", DecodeError.truncated), ("[\(text)", .truncated), ("[\(text),", .truncated), ("[\"]", .truncated),
            ("[\(text)]x", .trailing), ("[]]", .trailing), ("[}", .invalid("array")), ("[\(text)}]", .invalid("array")),
        ] {
            let element = ChatElement(bytes: Bytes(payload.utf8), content: .failure(.malformed(error)))
            #expect(elements(payload) == [element])
        }
    }

    @Test func atMost255Elements() {
        func array(_ count: Int) -> String {
            "[" + Array(repeating: PayloadTests.text, count: count).joined(separator: ",") + "]"
        }
        #expect(elements(array(255)) == Array(repeating: PayloadTests.ok, count: 255))
        let tooMany = Bytes(array(256).utf8)
        let error = ChatElement(bytes: tooMany, content: .failure(.tooManyElements))
        #expect(ChatPayload.elements(of: tooMany) == [error])
        // Also together, in two compressed items of the same container.
        let both = Container.encoded([Container.frame(array(200)), Container.frame(array(55))])
        #expect(ChatPayload.elements(of: both) == Array(repeating: PayloadTests.ok, count: 255))
        let exceeding = Container.encoded([Container.frame(array(200)), Container.frame(array(56))])
        #expect(failures(exceeding) == [.tooManyElements])
        #expect(failures("[" + String(repeating: "{},", count: 20_000) + "{}]") == [.tooManyElements])
    }

    // MARK: - Binary batches

    @Test func plainElementsOfBinaryBatchesAreRead() {
        let chunk = FileChunk(messageID: SharedMessageID([1]), .cancelled)
        let parts = [
            Bytes(PayloadTests.text.utf8), Bytes("/D\u{0}\(PayloadTests.text)".utf8), Bytes(">C".utf8), chunk.encoded,
            [],
            Bytes("[]".utf8), Bytes("=\u{0}".utf8), Bytes("X".utf8),
        ]
        var writer = ByteWriter()
        writer.character("=")
        writer.list(parts) { $0.largeBytes($1) }
        let elements = ChatPayload.elements(of: writer.bytes)
        #expect(elements.map(\.bytes) == parts)
        #expect(elements[0] == PayloadTests.ok)
        #expect(elements[3].content == .success(.chunk(chunk)))
        let expected: [PayloadError?] = [
            nil, .malformed(.invalid("empty list")), .malformed(.truncated), nil, .empty, .unknownForm, .unknownForm,
            .unknownForm,
        ]
        #expect(failures(writer.bytes) == expected)
        #expect(failures(writer.bytes + [0]) == [.malformed(.trailing)])
        #expect(failures(Bytes(writer.bytes.dropLast())) == [.malformed(.truncated)])
        #expect(failures("=") == [.malformed(.truncated)])
        #expect(failures("=\u{0}") == [])
    }

    // MARK: - Compression

    @Test func containers() throws {
        let text = Bytes(PayloadTests.text.utf8)
        let hello = try Hex.decode("5801300568656c6c6f")
        #expect(Container.encoded([Container.plain("hello")]) == hello)
        #expect(
            ChatPayload.elements(of: hello) == [
                ChatElement(bytes: Bytes("hello".utf8), content: .failure(.unknownForm))
            ])
        let array = "[\(PayloadTests.text),\(PayloadTests.text)]"
        for items in [
            [Container.plain(PayloadTests.text), Container.plain(PayloadTests.text)],
            [Container.frame(PayloadTests.text), Container.plain(PayloadTests.text)],
            [Container.frame(array)], [Container.plain(array)],
        ] {
            #expect(ChatPayload.elements(of: Container.encoded(items)) == [PayloadTests.ok, PayloadTests.ok])
        }
        let chunk = FileChunk(messageID: SharedMessageID([1]), .data(number: 1, text))
        let item: Bytes = [0x31] + Container.large(Zstandard.compress(chunk.encoded))
        #expect(ChatPayload.elements(of: Container.encoded([item]))[0].content == .success(.chunk(chunk)))
    }

    @Test func bad_item_does_not_affect_others() {
        let good = Container.plain(PayloadTests.text)
        let nested = Container.encoded([good])
        let bad: [(Bytes, PayloadError)] = [
            (Container.plain(""), .empty),
            (Container.plain("hello"), .unknownForm),
            (Container.plain(String(decoding: nested, as: UTF8.self)), .compression),
            ([0x31] + Container.large(Zstandard.compress(nested)), .compression),
            ([0x31] + Container.large(Bytes(PayloadTests.text.utf8)), .compression),
            ([0x31] + Container.large(Zstandard.compress([1]) + [0]), .compression),
            ([0x31] + Container.large([]), .compression),
            (Container.frame("[\(PayloadTests.text)"), .malformed(.truncated)),
            (Container.frame(String(repeating: " ", count: 65_537)), .tooLarge),
        ]
        for (item, error) in bad {
            #expect(failures(Container.encoded([good, item, good])) == [nil, error, nil])
        }
        for payload: Bytes in [
            [], [0], [1], [1, 0x32, 0], [1, 0x30, 1], [1, 0x30, 0, 0], [2, 0x30, 0], [1, 0x31, 0],
        ] {
            #expect(failures(Bytes("X".utf8) + payload) == [.compression])
        }
    }

    @Test func decompressedSizeIsLimitedInSum() {
        func message(_ size: Int) -> String {
            PayloadTests.text + String(repeating: " ", count: size - PayloadTests.text.utf8.count)
        }
        func sizes(_ sizes: Int...) -> [PayloadError?] {
            failures(Container.encoded(sizes.map { Container.frame(message($0)) }))
        }
        #expect(sizes(65_536) == [nil])
        #expect(sizes(65_537) == [.tooLarge])
        #expect(sizes(32_768, 32_768) == [nil, nil])
        #expect(sizes(32_768, 32_769) == [nil, .tooLarge])
        #expect(sizes(65_437, 100, 50) == [nil, .tooLarge, nil])
        #expect(
            failures(Container.encoded([Container.frame(message(65_500)), Container.plain(message(40))])) == [
                nil, .tooLarge,
            ])
    }

    // MARK: - Damage

    @Test func damagedPayloadsEnd() {
        let array = "[\(RecordedMessage.line(1).text),\(RecordedMessage.line(2).text)]"
        var batch = ByteWriter()
        batch.character("=")
        batch.list([RecordedMessage.line(1).bytes, Bytes("/D\u{0}{}".utf8)]) { $0.largeBytes($1) }
        let chunk = FileChunk(messageID: SharedMessageID([1]), .data(number: 1, [1, 2]))
        for payload in [Bytes(array.utf8), batch.bytes, chunk.encoded] {
            Damage.check(payload) { ChatPayload.elements(of: $0) }
        }
        // Without a checksum a damaged frame may hold anything, even the same.
        let container = Container.encoded([Container.frame(array), Container.plain(PayloadTests.text)])
        Damage.survive(container) { #expect(!ChatPayload.elements(of: $0).isEmpty) }
    }
}

/// Compressed containers written by hand.
private enum Container {
    static func encoded(_ items: [Bytes]) -> Bytes {
        Bytes("X".utf8) + [UInt8(items.count)] + items.flatMap { $0 }
    }

    static func plain(_ text: String) -> Bytes {
        [0x30, UInt8(text.utf8.count)] + Bytes(text.utf8)
    }

    static func frame(_ text: String) -> Bytes {
        [0x31] + large(Zstandard.compress(Bytes(text.utf8)))
    }

    static func large(_ bytes: Bytes) -> Bytes {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }
}
