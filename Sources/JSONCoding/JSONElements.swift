public import ByteCoding

/// A splitter of a JSON array into the texts of its elements, without reading them. A malformed element does not affect
/// the others.
public enum JSONElements {
    /// Returns the texts between the commas, without surrounding spaces. The texts may be malformed, but brackets and
    /// strings must end.
    ///
    /// - Throws: ``DecodeError``.
    public static func split(_ array: Bytes) throws(DecodeError) -> [Bytes] {
        guard array.first == UInt8(ascii: "[") else { throw .invalid("array") }
        var elements: [Bytes] = []
        var start = 1
        var depth = 0
        var isInString = false
        var isEscaped = false
        for index in array.indices.dropFirst() {
            let byte = array[index]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ",") where depth == 0:
                elements.append(trimmed(array[start..<index]))
                start = index + 1
            case UInt8(ascii: "]") where depth == 0:
                guard trimmed(array[(index + 1)...]).isEmpty else { throw .trailing }
                let last = trimmed(array[start..<index])
                return elements.isEmpty && last.isEmpty ? [] : elements + [last]
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard depth > 0 else { throw .invalid("array") }
                depth -= 1
            default: break
            }
        }
        throw .truncated
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> Bytes {
        Bytes(text.drop(while: JSONReader.isSpace).reversed().drop(while: JSONReader.isSpace).reversed())
    }
}
