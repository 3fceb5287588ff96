import ByteCoding
import JSONCoding

/// The password of a hidden profile in plain text.
///
/// It is in the text of a command and nowhere else: descriptions and mirrors of the commands that have it do not show it.
public struct PlainPassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    public init(_ text: String) {
        self.text = text
    }

    public var description: String { "(password)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Argument where Value == PlainPassword? {
    /// `"PASSWORD"`, as JSON or, for people, as a word; or nothing.
    static func password(_ value: @escaping @Sendable (Command) -> PlainPassword?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard !reader.isAtEnd else { return nil }
                var rest = reader
                let text = rest.rest()
                guard !text.utf8.starts(with: "\"".utf8) else {
                    guard let password = try JSONValue(decoding: Bytes(text.utf8)).string else {
                        throw .invalid("password")
                    }
                    reader = rest
                    return PlainPassword(password)
                }
                return PlainPassword(reader.word())
            }, write: { command in value(command).map { JSONValue.string($0.text).line } ?? "" })
    }
}
