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
