import ByteCoding
public import SMPProtocol

/// The addresses of a relay for clients, with its password.
public struct RelayAddresses: Hashable, Sendable {
    /// The address of the relay of messages.
    public let address: ServerAddress
    /// The address of the relay of files; nil if the relay serves none.
    public let fileAddress: ServerAddress?
    /// The password for creating queues and files.
    public let password: ServerPassword?

    /// - Parameter filePort: The port for files; nil if the relay serves none, or the port is unknown.
    init(_ settings: RelaySettings, port: UInt16, filePort: UInt16?, fingerprint: Bytes) {
        address = settings.address(port: port, fingerprint: fingerprint)
        fileAddress = filePort.map { settings.fileAddress(port: $0, fingerprint: fingerprint) }
        password = settings.password
    }

    /// Returns the addresses as text: `smp://...`, then `xftp://...` if the relay serves files.
    ///
    /// - Parameter withPassword: True to include the password.
    public func texts(withPassword: Bool) -> [String] {
        let password = withPassword ? password : nil
        return [ConfiguredServer(address: address, password: password).text(scheme: .smp)]
            + (fileAddress.map { [ConfiguredServer(address: $0, password: password).text(scheme: .xftp)] } ?? [])
    }
}
