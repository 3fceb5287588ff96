import CommandKit

/// `tacit net`
enum NetCommand {
    static let command = Command(
        noun: "net", "See and test how relays are reached", verbs: leaves.map(\.command), defaultVerb: "status")

    static let leaves = [NetStatusCommand.leaf, NetTestCommand.leaf, NetProxyCommand.leaf]
}
