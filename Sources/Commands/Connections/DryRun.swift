import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// `tacit connect --dry-run`: what a link is, as far as that can be told without asking anybody.
enum DryRun {
    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard let text = invocation[ConnectCommand.link] else {
            invocation.note("an invitation would be created")
            return .ok
        }
        try invocation.print(try report(text))
        return .ok
    }

    /// The report of a link or a name.
    ///
    /// - Throws: `ChatError.invalidLink`.
    static func report(_ text: String) throws -> LinkReport {
        if let name = SimplexName.named(by: text).first { return LinkReport(name: name) }
        guard let link = try? ConnectionLink(text: text) else { throw ChatError.invalidLink }
        return LinkReport(link: link)
    }
}

/// A link that was taken apart, or a name.
struct LinkReport: Report {
    private let kind: String
    private let locations: [String]
    private let text: String
    private let what: String

    init(link: ConnectionLink) {
        (kind, what) =
            switch link.kind {
            case .invitation: ("invitation", "one-time invitation")
            case .address(.contact): ("address", "contact address")
            case .address(.channel): ("channel", "channel")
            case .address(.group): ("group", "group")
            case .address(.relay): ("relay", "channel relay")
            }
        locations = link.servers.map(\.place)
        text = link.description
    }

    init(name: SimplexName) {
        (kind, what) = ("name", name.kind == .contact ? "name of a contact" : "name of a channel")
        locations = []
        text = name.text
    }

    static let forms = [
        ReportForm(
            "link", "A decoded link", plain: ["kind", "relays"],
            [
                .always(
                    "kind", .word(["invitation", "address", "channel", "group", "relay", "name"]), "Kind of link"),
                .always("relays", .texts, "Hosts of the relays; none for a name"),
                .always("link", .text, "The link or the name"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "link")
        json.set("kind", kind)
        json.set("relays", locations)
        json.set("link", text)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard !locations.isEmpty else { return [StyledText(what)] }
        return [StyledText("\(what) on \(locations.joined(separator: ", "))")]
    }
}
