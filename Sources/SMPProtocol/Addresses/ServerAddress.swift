public import ByteCoding

/// The protocol of a server, which is the scheme of its address.
public enum ServerScheme: String, Hashable, Sendable, CaseIterable {
    /// A relay of messages, `smp://`.
    case smp
    /// A relay of files, `xftp://`.
    case xftp
}

/// The address of a server: `smp://FINGERPRINT@HOST[,HOST...][:PORT]` (smp-agent.md 6.1).
///
/// The fingerprint is the SHA-256 of the server's identity certificate. Several hosts lead to the same server, usually
/// a public name and an onion name.
public struct ServerAddress: Hashable, Sendable, ByteCodable, CustomStringConvertible {
    /// The hosts, at least one, in order of preference.
    public let hosts: [TransportHost]
    /// The port; nil for the default port of the protocol.
    public let port: UInt16?
    /// The SHA-256 fingerprint, 32 bytes in every usable address. Other lengths are read, but match no server. Empty in
    /// short links only, which leave out a well-known fingerprint.
    public let fingerprint: Bytes

    /// Creates an address of at least one host.
    public init(hosts: [TransportHost], port: UInt16?, fingerprint: Bytes) {
        precondition(!hosts.isEmpty, "a server has a host")
        self.hosts = hosts
        self.port = port
        self.fingerprint = fingerprint
    }

    /// Checks the hosts of a received address: at most 16, with at most 1,024 bytes together.
    ///
    /// The limits are five times the usual values. A message with an address always fits its length prefix.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public static func check(_ hosts: [TransportHost]) throws(DecodeError) {
        let size = hosts.reduce(0) { $0 + $1.description.utf8.count }
        guard (1...16).contains(hosts.count), size <= 1024 else { throw .invalid("hosts") }
    }

    // MARK: - Binary

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        hosts = try reader.nonEmptyList()
        try ServerAddress.check(hosts)
        port = try ServerAddress.port(text: try reader.shortText())
        fingerprint = try reader.shortBytes()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.list(hosts)
        writer.shortText(portText)
        writer.shortBytes(fingerprint)
    }

    /// Reads the form of queue addresses of version 1: one host without a count (smp-agent.md 6.7).
    public init(legacyFrom reader: inout ByteReader) throws(DecodeError) {
        hosts = [try reader.value()]
        port = try ServerAddress.port(text: try reader.shortText())
        fingerprint = try reader.shortBytes()
    }

    /// Writes the form of queue addresses of version 1, with the first host only.
    public func encodeLegacy(into writer: inout ByteWriter) {
        writer.shortText(hosts.first.map(\.description) ?? "")
        writer.shortText(portText)
        writer.shortBytes(fingerprint)
    }

    private var portText: String { port.map { "\($0)" } ?? "" }

    private static func port(text: String) throws(DecodeError) -> UInt16? {
        if text.isEmpty { return nil }
        var reader = TextReader(text)
        let port: UInt16 = try reader.number()
        try reader.finish()
        return port
    }

    // MARK: - Text

    /// Reads `smp://FINGERPRINT@HOSTS[:PORT]` without a password, up to the first character behind it.
    ///
    /// - Throws: ``DecodeError``.
    public init(from reader: inout TextReader) throws(DecodeError) {
        try self.init(from: &reader, scheme: .smp)
    }

    /// Reads `SCHEME://FINGERPRINT@HOSTS[:PORT]` without a password, up to the first character behind it.
    ///
    /// - Throws: ``DecodeError``.
    public init(from reader: inout TextReader, scheme: ServerScheme) throws(DecodeError) {
        let server = try ConfiguredServer(from: &reader, scheme: scheme)
        guard server.password == nil else { throw .invalid("password in an address") }
        self = server.address
    }

    /// Reads a text that consists of an address.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        try self.init(text: text, scheme: .smp)
    }

    /// Reads a text that consists of an address of this scheme.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String, scheme: ServerScheme) throws(DecodeError) {
        var reader = TextReader(text)
        try self.init(from: &reader, scheme: scheme)
        try reader.finish()
    }

    /// The address as `smp://FINGERPRINT@HOSTS[:PORT]`.
    public var description: String { text(scheme: .smp) }

    /// Returns the address as `SCHEME://FINGERPRINT@HOSTS[:PORT]`.
    public func text(scheme: ServerScheme) -> String {
        "\(scheme.rawValue)://\(Base64URL.encode(fingerprint))@\(location)"
    }

    /// The hosts and the port, as users name a server.
    public var location: String {
        let names = hosts.map(\.description)
        guard let port else { return names.joined(separator: ",") }
        guard case .ipv6(let last) = hosts.last else { return names.joined(separator: ",") + ":\(port)" }
        // Without brackets the port would be the last group of the IPv6 address.
        return (names.dropLast() + ["[\(last)]:\(port)"]).joined(separator: ",")
    }
}

/// A server in the user's configuration: its address and the password for creating queues.
public struct ConfiguredServer: Hashable, Sendable, CustomStringConvertible {
    /// The address.
    public let address: ServerAddress
    /// The password, if the server requires one.
    public let password: ServerPassword?

    /// Creates a configured server from its parts.
    public init(address: ServerAddress, password: ServerPassword? = nil) {
        self.address = address
        self.password = password
    }

    /// Reads `smp://FINGERPRINT[:PASSWORD]@HOST[,HOST...][:PORT]`, up to the first character behind it.
    ///
    /// - Throws: ``DecodeError``.
    public init(from reader: inout TextReader) throws(DecodeError) {
        try self.init(from: &reader, scheme: .smp)
    }

    /// Reads `SCHEME://FINGERPRINT[:PASSWORD]@HOST[,HOST...][:PORT]`, up to the first character behind it.
    ///
    /// - Throws: ``DecodeError``.
    public init(from reader: inout TextReader, scheme: ServerScheme) throws(DecodeError) {
        switch scheme {
        case .smp: try reader.expect("smp://")
        case .xftp: try reader.expect("xftp://")
        }
        let fingerprint = try reader.base64URL()
        guard fingerprint.count <= UInt8.max else { throw .invalid("fingerprint") }
        password = reader.skip(":") ? try ServerPassword(from: &reader) : nil
        try reader.expect("@")
        let hosts = try reader.commaSeparated { reader throws(DecodeError) in try TransportHost(from: &reader) }
        try ServerAddress.check(hosts)
        let port: UInt16? = reader.skip(":") ? try reader.number() : nil
        address = ServerAddress(hosts: hosts, port: port, fingerprint: fingerprint)
    }

    /// Reads a text that consists of an address with an optional password.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        try self.init(text: text, scheme: .smp)
    }

    /// Reads a text that consists of an address of this scheme.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String, scheme: ServerScheme) throws(DecodeError) {
        var reader = TextReader(text)
        try self.init(from: &reader, scheme: scheme)
        try reader.finish()
    }

    /// The address with its password: for the configuration only, never for a link, a log or an error.
    public var description: String { text(scheme: .smp) }

    /// Returns the address with its password, like ``description``.
    public func text(scheme: ServerScheme) -> String {
        let secret = password.map { ":\($0.text)" } ?? ""
        return "\(scheme.rawValue)://\(Base64URL.encode(address.fingerprint))\(secret)@\(address.location)"
    }
}

/// A password for creating queues: printable ASCII without space, `@`, `:` and `/`, at most 255 characters.
public struct ServerPassword: Hashable, Sendable, ByteCodable {
    /// The password.
    public let text: String

    /// Creates a password.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for forbidden characters or lengths.
    public init(_ text: String) throws(DecodeError) {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy(ServerPassword.allows) else {
            throw .invalid("password")
        }
        self.text = text
    }

    init(from reader: inout TextReader) throws(DecodeError) {
        try self.init(reader.take(while: ServerPassword.allows))
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        try self.init(try reader.shortText())
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.shortText(text)
    }

    private static func allows(_ byte: UInt8) -> Bool {
        (0x21...0x7e).contains(byte) && !Bytes("@:/".utf8).contains(byte)
    }
}
