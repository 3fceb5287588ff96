public import ByteCoding

/// The name of an entry, which can be appended to the path of a folder and stays inside of it.
///
/// Components are separated by `/`. None is empty, `.` or `..`. The name has no backslash, no leading drive letter and
/// no control character, and it is UTF-8. The name of a folder omits the final `/`.
public struct EntryName: Hashable, Sendable {
    /// The name.
    public let text: String
    /// The UTF-8 bytes, by which names are compared: canonical equivalence would join different files.
    public let bytes: Bytes

    /// The largest size of a name and of a component, in bytes.
    static let limit = 1024
    static let componentLimit = 255
    /// The largest number of components.
    static let depthLimit = 32

    /// Creates a name.
    ///
    /// - Throws: ``ZipError/unsafeName``.
    public init(_ text: String) throws(ZipError) {
        let bytes = Bytes(text.utf8)
        guard bytes.count <= EntryName.limit, !EntryName.hasDriveLetter(bytes),
            bytes.count(where: { $0 == UInt8(ascii: "/") }) < EntryName.depthLimit,
            bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .allSatisfy(EntryName.isSafe(component:)),
            text.unicodeScalars.allSatisfy({ $0 != "\\" && $0.properties.generalCategory != .control })
        else { throw .unsafeName }
        self.text = text
        self.bytes = bytes
    }

    init(bytes: Bytes) throws(ZipError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unsafeName }
        try self.init(text)
    }

    public static func == (left: EntryName, right: EntryName) -> Bool { left.bytes == right.bytes }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    var isASCII: Bool { bytes.allSatisfy { $0 < 0x80 } }

    /// The names of the parent folders, outermost first.
    var folders: [Bytes] {
        bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { Bytes(bytes[..<$0]) }
    }

    private static func isSafe(component: ArraySlice<UInt8>) -> Bool {
        !component.isEmpty && component.count <= componentLimit && !component.elementsEqual(".".utf8)
            && !component.elementsEqual("..".utf8)
    }

    private static func hasDriveLetter(_ bytes: Bytes) -> Bool {
        let start = bytes.prefix(2)
        guard start.count == 2, start.last == UInt8(ascii: ":"), let letter = start.first else { return false }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20)
    }
}
