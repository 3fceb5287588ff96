import ByteCoding
import Host
import Testing

@Suite struct LineSplitterTests {
    /// However a stream is cut, the lines are the same.
    @Test func cutsAnywhere() {
        let stream = Bytes("one\n\ntwo\nthree\nrest".utf8)
        for size in 1...stream.count {
            var splitter = LineSplitter(), lines: [String] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                let part = Bytes(stream[start..<min(start + size, stream.count)])
                lines += splitter.lines(part).map { String(decoding: $0 ?? [], as: UTF8.self) }
            }
            #expect(lines == ["one", "two", "three"])
        }
    }

    /// Of a line that is too long nothing is kept, and those behind it are read as ever.
    @Test func passesOverLongLines() {
        var splitter = LineSplitter()
        let part = Bytes(repeating: 65, count: 1 << 20)
        for _ in 0..<4 { #expect(splitter.lines(part).isEmpty) }
        #expect(splitter.lines([65]).isEmpty)
        #expect(splitter.lines(part).isEmpty)
        #expect(splitter.lines(Bytes("B\nC\nD".utf8)) == [nil, [67]])
        #expect(splitter.last() == [[68]])
        #expect(splitter.last().isEmpty)
        for _ in 0..<5 { _ = splitter.lines(part) }
        #expect(splitter.last() == [nil])
    }
}
