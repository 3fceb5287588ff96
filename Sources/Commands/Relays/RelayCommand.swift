import CommandKit

/// `tacit relay`
enum RelayCommand {
    static let command = Command(
        noun: "relay", "Run and manage a relay", verbs: leaves.map(\.command),
        discussion: """
            A relay is a folder: 'tacit relay init' creates it and 'tacit relay start' serves it. Its settings are in \
            relay.conf. The manual page tacit-relay(8) describes settings, signals, log, metrics and upgrades.
            """,
        manualSection: 8, manual: RelayManual.parts)

    static let leaves = [
        RelayInitCommand.leaf, RelayStartCommand.leaf, RelayStatusCommand.leaf, RelayAddressCommand.leaf,
        RelayCertCommand.leaf, RelayBackupCommand.leaf, RelayBlockCommand.block, RelayBlockCommand.unblock,
        RelayDeleteCommand.leaf,
    ]

    static let folder = Positional<String>("DIR", "Folder of the relay", .path("DIR", completing: .folder))
}
