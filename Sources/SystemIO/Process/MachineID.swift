/// The identity of this machine (machine-id(5)).
///
/// It is the same after a restart. Containers have a separate one, a new one each time, or none.
/// It stays the same from one start to the next. Containers have one of their own, another each time, or none.
public struct MachineID: Hashable, Sendable {
    /// The text of the identity.
    public let text: String

    /// Creates an identity set by the user, or returns nil for an empty text.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// The identity of the system, or nil.
    public static var current: MachineID? {
        ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy.compactMap(MachineID.init(reading:)).first
    }

    /// Reads 32 hexadecimal digits. Other content, such as an empty file or the word `uninitialized`, is not an
    /// identity yet.
    private init?(reading path: String) {
        guard let bytes = try? Files.read(path, limit: 64) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        guard text.utf8.count == 32, text.allSatisfy(\.isHexDigit) else { return nil }
        self.text = text
    }
}
