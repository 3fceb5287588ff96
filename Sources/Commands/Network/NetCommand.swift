import CommandKit

/// `tacit net`
enum NetCommand {
    static let command = Command(
        noun: "net", "Show and test the network configuration", verbs: leaves.map(\.command), defaultVerb: "status")

    static let leaves = [NetStatusCommand.leaf, NetTestCommand.leaf, NetProxyCommand.leaf]
}
