import ByteCoding
import Testing

@Suite struct ReaderTests {
    @Test func anErrorLeavesAnAttemptInPlace() {
        var reader = ByteReader([5, 1, 2])
        #expect(reader.attempt { reader throws(DecodeError) in try reader.shortBytes() } == nil)
        #expect(reader.remaining == 3)
        #expect(reader.rest() == [5, 1, 2])
    }

    @Test func readsUpToASeparator() {
        var reader = ByteReader(Bytes("flags body more".utf8))
        #expect(reader.upTo(" ") == Bytes("flags".utf8))
        #expect(reader.upTo("#") == nil)
        #expect(reader.rest() == Bytes("body more".utf8))
    }

    @Test func everythingMustBeRead() {
        #expect(throws: DecodeError.trailing) { try VersionRange(decoding: [0, 1, 0, 2, 0]) }
        #expect(throws: DecodeError.truncated) { try VersionRange(decoding: [0, 1, 0]) }
    }

    @Test func byte_strings_are_compared_by_content_and_length() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual([], []))
    }

    @Test func hexadecimalIsReadInBothCases() throws {
        #expect(try Hex.decode("00fFA5") == [0, 255, 0xa5])
        #expect(throws: DecodeError.self) { try Hex.decode("0") }
        #expect(throws: DecodeError.self) { try Hex.decode("0g") }
    }
}
