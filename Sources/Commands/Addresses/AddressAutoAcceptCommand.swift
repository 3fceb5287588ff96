import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit address auto-accept`
enum AddressAutoAcceptCommand {
    static let state = Positional<OnOff>(
        "on|off", "Accept all contact requests, or keep them pending", .choice())
    static let welcome = Option<String?>(
        "welcome", "Message to new contacts; empty for none", .text(), defaultText: "unchanged",
        isCommon: true)
    static let business = Option<Bool?>(
        flag: "business", "Create a business chat per request: a group with the contact", defaultText: "unchanged")

    static let leaf: Leaf = .init(
        Command(
            "address auto-accept", "Accept contact requests automatically",
            promise: "the settings are on disk; the short link is updated now, or with the next fetch",
            store: .writing, positionals: [state], options: [welcome, business],
            examples: [
                Example(
                    "tacit address auto-accept on --welcome 'Hello! I am a robot.'",
                    "Accept all requests with a welcome message"),
                Example("tacit address auto-accept on --business", "Create a group for each customer"),
                Example("tacit address auto-accept off", "Keep requests pending for tacit accept"),
            ],
            exits: [64, 67, 78], reports: AddressReport.forms,
            discussion: """
                Contacts of the address receive the welcome message, and anyone who opens the short link sees it.

                At a business address, each accepted request becomes a group: the customer sees the name of the profile, and \
                'group invite' adds colleagues to the group. --no-business makes later requests contacts again; existing \
                groups stay.
                """),
        purpose: { "turn auto-accept \($0[state].rawValue)" },
        body: { session in
            let invocation = session.invocation
            let profile = try await session.profile()
            var settings = try await session.execute(ShowAddress(profile.id)).address.settings
            settings.accepts = invocation[state] == .on
            if let isBusiness = invocation[business] { settings.isBusiness = isBusiness }
            if let text = invocation[welcome] { settings.welcome = text.isEmpty ? nil : MessageContent(text) }
            session.progress.start { "updating the relay" }
            let updated = try await session.execute(SetAddress(profile.id, settings)).address
            session.progress.stop()
            try invocation.print(done: AddressReport(address: updated, showsSettings: true))
            return .ok
        })
}
