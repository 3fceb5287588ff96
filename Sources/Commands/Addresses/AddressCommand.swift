import CommandKit

/// `tacit address`
enum AddressCommand {
    static let command = Command(
        noun: "address", "Be reached by many through one link", verbs: leaves.map(\.command), defaultVerb: "show")

    static let leaves = [
        AddressCreateCommand.leaf, AddressShowCommand.leaf, AddressRotateCommand.leaf, AddressAutoAcceptCommand.leaf,
        AddressDeleteCommand.leaf,
    ]

    static let full = Option<Bool>(flag: "full", "Print the long form, which tells everything itself", isCommon: true)
}
