import ChatProtocol

/// Changes the local name of a contact, which does not learn it. (`/_rename @1 'NAME'`)
public struct RenameContact: ChatCommand {
    public var chat: ChatTarget
    public var name: String

    public init(_ chat: ChatTarget, name: String) {
        self.chat = chat
        self.name = name
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_rename", .chat(\.chat), .name(\.name), make: Self.init))

    public func effect(of response: ContactInfo) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> ContactInfo {
        let contact = try core.lookup.contact(chat)
        guard Profile.DisplayName.isLocalName(name) else {
            throw ChatError.invalidName(name, suggestion: Profile.DisplayName.localName(for: name))
        }
        let store = core.store
        try store.transaction {
            guard name != contact.name else { return }
            let isOwn = name == contact.choices.presentedName
            guard try isOwn || !store.isTaken(name, in: contact.profileID) else { throw ChatError.nameTaken(name) }
            try store.free(contact.name, in: contact.profileID)
            try store.setPresentedName(nil, of: contact)
            try store.take(name, in: contact.profileID)
            try store.rename(contact.id, name, at: core.now)
        }
        return try core.lookup.info(contact.id)
    }
}
