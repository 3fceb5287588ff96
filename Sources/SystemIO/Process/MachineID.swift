/// What tells this machine from others (machine-id(5)).
///
/// It stays the same from one start to the next. Containers have one of their own, another each time, or none.
public struct MachineID: Hashable, Sendable {
    public let text: String

    /// An identity that the user gives to the machine; nil if the text is empty.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// The identity that the system has; nil if it has none.
    public static var current: MachineID? {
        ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy.compactMap(MachineID.init(reading:)).first
    }

    /// 32 digits of a hexadecimal number. What is not is no identity yet: an empty file, or the word `uninitialized`.
    private init?(reading path: String) {
        guard let bytes = try? Files.read(path, limit: 64) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        guard text.utf8.count == 32, text.allSatisfy(\.isHexDigit) else { return nil }
        self.text = text
    }
}
