import CommandKit

/// `tacit address`
enum AddressCommand {
    static let command = Command(
        noun: "address", "Manage the contact address", verbs: leaves.map(\.command), defaultVerb: "show")

    static let leaves = [
        AddressCreateCommand.leaf, AddressShowCommand.leaf, AddressRotateCommand.leaf, AddressAutoAcceptCommand.leaf,
        AddressDeleteCommand.leaf,
    ]

    static let full = Option<Bool>(flag: "full", "Print the long form of the link", isCommon: true)
}
