import CommandKit

/// `tacit contact`
enum ContactCommand {
    static let command = Command(
        noun: "contact", "Look after connections with contacts", verbs: leaves.map(\.command))

    static let leaves = [ContactResyncCommand.leaf, ContactRotateCommand.leaf]

    /// A contact that exists.
    static let target = Positional<Target>("CONTACT", "The contact", .target("CONTACT"))
}
