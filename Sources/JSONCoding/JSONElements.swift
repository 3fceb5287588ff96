public import ByteCoding

/// Cuts the text of a JSON array into the texts of its elements without reading them, so that one that cannot be read
/// spoils none of the others.
public enum JSONElements {
    /// The elements between the commas, without the spaces around them. An element may turn out not to be JSON, but
    /// brackets and strings must end.
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
