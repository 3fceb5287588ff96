import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit address auto-accept`
enum AddressAutoAcceptCommand {
    enum Switch: String, CaseIterable, Sendable {
        case on, off
    }

    static let state = Positional<Switch>("on|off", "Whether everybody who asks becomes a contact", .choice())
    static let welcome = Option<String?>(
        "welcome", "What new contacts are told; an empty text for nothing", .text(), defaultText: "as it was",
        isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "address auto-accept", "Accept requests without asking",
            promise: "the settings are on disk; what the short link shows changes at once, or with the next fetch",
            store: .writing, positionals: [state], options: [welcome],
            examples: [
                Example("tacit address auto-accept on --welcome 'Hello! I am a robot.'", "For a bot"),
                Example("tacit address auto-accept off", "Requests wait for tacit accept"),
            ],
            exits: [64, 67, 78], reports: AddressReport.forms,
            discussion: "The welcome is sent to contacts of the address, and whoever opens its short link sees it."),
        purpose: { "turn auto-accept \($0[state].rawValue)" },
        body: { session in
            let invocation = session.invocation
            let profile = try await session.profile()
            var settings = try await session.execute(ShowAddress(profile.id)).address.settings
            settings.accepts = invocation[state] == .on
            if let text = invocation[welcome] { settings.welcome = text.isEmpty ? nil : MessageContent(text) }
            session.progress.start { "telling the relay" }
            let updated = try await session.execute(SetAddress(profile.id, settings)).address
            session.progress.stop()
            try invocation.print(done: AddressReport(address: updated, showsSettings: true))
            return .ok
        })
}
