import ByteCoding

/// Traps, with a sentence that stands before libFuzzer's report, if a decoder broke a promise.
func promise(_ isKept: Bool, _ sentence: @autoclosure () -> String) {
    if !isKept { fatalError(sentence()) }
}

/// Decodes, and encodes and decodes again what could be decoded.
///
/// The second value must be the first, unless it is `translated` for the reader. Text compares by its meaning in
/// Unicode, so the second encoding is compared too.
func roundTrip<Value: Equatable>(
    _ input: Bytes, translated: Bool = false, _ decode: (Bytes) throws -> Value, _ encode: (Value) throws -> Bytes
) {
    guard let value = try? decode(input), let encoded = try? encode(value) else { return }
    guard let again = try? decode(encoded) else {
        return promise(false, "\(Value.self): its own encoding is refused: \(Hex.encode(encoded))")
    }
    promise(
        translated || again == value, "\(Value.self): its encoding means something else: \(Hex.encode(encoded))")
    promise((try? encode(again)) == encoded, "\(Value.self): two encodings: \(Hex.encode(encoded))")
}

/// The same for a type that knows its encoding.
func roundTrip<Value: Equatable & ByteCodable>(_ input: Bytes, _ type: Value.Type) {
    roundTrip(input, { try Value(decoding: $0) }, \.encoded)
}

/// The same for a value that is read from text.
func roundTrip<Value: Equatable & CustomStringConvertible>(_ text: String, _ parse: (String) throws -> Value) {
    roundTrip(Bytes(text.utf8), { try parse(String(decoding: $0, as: UTF8.self)) }, { Bytes($0.description.utf8) })
}
