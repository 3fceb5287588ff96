public import ByteCoding

/// A name of an entry that can be appended to the path of a folder and stays inside of it.
///
/// Components are separated by `/`. None is empty, `.` or `..`; there is no backslash, no drive letter at the start, no
/// control character and nothing that is not UTF-8. A folder is named without the `/` at its end.
public struct EntryName: Hashable, Sendable {
    public let text: String
    /// The UTF-8 bytes, which are what names are compared by: Unicode would take different files for one.
    public let bytes: Bytes

    /// The longest name and the longest component that are accepted, in bytes.
    static let limit = 1024
    static let componentLimit = 255
    /// How many components a name may have.
    static let depthLimit = 32

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

    /// The names of the folders that the entry is in, the outermost first.
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
