import CommandKit

/// `tacit relay`
enum RelayCommand {
    static let command = Command(
        noun: "relay", "Run a relay of your own", verbs: leaves.map(\.command),
        discussion: """
            A relay is a folder, which 'tacit relay init' makes and 'tacit relay start' serves. Settings are in relay.conf in that \
            folder. The page tacit-relay(8) of the manual describes them, signals, log, metrics and upgrades.
            """,
        manualSection: 8, manual: RelayManual.parts)

    static let leaves = [
        RelayInitCommand.leaf, RelayStartCommand.leaf, RelayStatusCommand.leaf, RelayAddressCommand.leaf,
        RelayCertCommand.leaf, RelayBackupCommand.leaf, RelayDeleteCommand.leaf,
    ]

    static let folder = Positional<String>("DIR", "The folder of the relay", .path("DIR", completing: .folder))
}
