import ByteCoding

/// A response of HTTP/1.1 or 1.0 (RFC 9112) to a request after which the connection ends.
struct HTTPResponse: Equatable {
    let status: Int
    let body: Bytes

    /// Reads a response as far as it arrived.
    ///
    /// - Parameter isAtEnd: True if the server has closed the connection.
    /// - Returns: Nil if more bytes have to arrive.
    /// - Throws: ``DecodeError``.
    init?(_ bytes: Bytes, isAtEnd: Bool) throws(DecodeError) {
        guard let head = HTTPResponse.headSize(bytes) else {
            if isAtEnd { throw .truncated }
            return nil
        }
        guard let text = String(validating: bytes[..<head], as: UTF8.self) else { throw .invalid("head") }
        // A line ends with CR LF, which is one character in Swift.
        let lines = text.split(whereSeparator: \.isNewline)
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1]),
            (200...599).contains(status)
        else { throw .invalid("status line") }
        self.status = status
        var size: Int?, isChunked = false
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .invalid("header") }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            switch line[..<colon].lowercased() {
            case "content-length":
                guard let number = Int(value), number >= 0, size == nil || size == number else {
                    throw .invalid("content length")
                }
                size = number
            case "transfer-encoding":
                guard value.lowercased() == "chunked" else { throw .invalid("transfer encoding") }
                isChunked = true
            default: break
            }
        }
        let rest = bytes[head...]
        if isChunked {
            guard let body = try HTTPResponse.chunks(rest) else {
                if isAtEnd { throw .truncated }
                return nil
            }
            self.body = body
        } else if let size {
            guard rest.count >= size else {
                if isAtEnd { throw .truncated }
                return nil
            }
            body = Bytes(rest.prefix(size))
        } else {
            // The end of the connection is the end of the body.
            guard isAtEnd else { return nil }
            body = Bytes(rest)
        }
    }

    /// Returns the size of the status line and the headers with the empty line behind them.
    private static func headSize(_ bytes: Bytes) -> Int? {
        let end: Bytes = [13, 10, 13, 10]
        guard bytes.count >= end.count else { return nil }
        return (0...(bytes.count - end.count)).first { bytes[$0..<($0 + end.count)].elementsEqual(end) }
            .map { $0 + end.count }
    }

    /// Returns the content of all chunks, or nil before the last one.
    private static func chunks(_ bytes: ArraySlice<UInt8>) throws(DecodeError) -> Bytes? {
        var rest = bytes, body: Bytes = []
        while true {
            guard let lineEnd = rest.firstIndex(of: 10) else { return nil }
            let digits = rest[..<lineEnd].prefix { $0 != 13 && $0 != UInt8(ascii: ";") }
            guard (1...8).contains(digits.count), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
                size >= 0
            else { throw .invalid("chunk size") }
            rest = rest[(lineEnd + 1)...]
            // Trailers have no meaning here.
            guard size > 0 else { return body }
            guard rest.count >= size + 2 else { return nil }
            body += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard rest.starts(with: [13, 10]) else { throw .invalid("chunk") }
            rest = rest.dropFirst(2)
        }
    }
}
