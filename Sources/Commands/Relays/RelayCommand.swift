import CommandKit

/// `tacit relay`
enum RelayCommand {
    static let command = Command(
        noun: "relay", "Run a relay of your own", verbs: leaves.map(\.command), manualSection: 8)

    static let leaves = [
        RelayInitCommand.leaf, RelayStartCommand.leaf, RelayStatusCommand.leaf, RelayAddressCommand.leaf,
        RelayCertCommand.leaf, RelayBackupCommand.leaf, RelayDeleteCommand.leaf,
    ]

    static let folder = Positional<String>("DIR", "The folder of the relay", .path("DIR", completing: .folder))
}
