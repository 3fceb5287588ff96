import ByteCoding
import ControlSocket
import Testing

@Suite struct LineSplitterTests {
    /// However a stream is cut, the lines are the same.
    @Test func cutsAnywhere() throws {
        let stream = Bytes("one\n\ntwo\nthree\nrest".utf8)
        for size in 1...stream.count {
            var splitter = LineSplitter(), lines: [String] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                let part = Bytes(stream[start..<min(start + size, stream.count)])
                lines += try splitter.lines(part).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(lines == ["one", "two", "three"])
        }
    }

    @Test func refusesLinesWithoutEnd() throws {
        var splitter = LineSplitter()
        let part = Bytes(repeating: 65, count: 1 << 20)
        for _ in 0..<4 { _ = try splitter.lines(part) }
        #expect(throws: LineSplitter.TooLong.self) { try splitter.lines([65]) }
    }
}
