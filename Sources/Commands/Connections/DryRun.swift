import AgentProtocol
import ChatCore
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
        guard let link = try? ConnectionLink(text: text) else {
            throw ChatError.invalidLink
        }
        try invocation.print(LinkReport(link: link))
        return .ok
    }
}

/// A link that was taken apart.
struct LinkReport: Report {
    let link: ConnectionLink

    static let forms = [
        ReportForm(
            "link", "A decoded link", plain: ["kind", "relays"],
            [
                .always(
                    "kind", .word(["invitation", "address", "channel", "group", "relay"]), "Kind of link"),
                .always("relays", .texts, "Hosts of the relays"), .always("link", .text, "The link"),
            ])
    ]

    private var locations: [String] { link.servers.map(\.place) }

    private var kind: String {
        switch link.kind {
        case .invitation: "invitation"
        case .address(.contact): "address"
        case .address(.channel): "channel"
        case .address(.group): "group"
        case .address(.relay): "relay"
        }
    }

    var json: JSONObject {
        var json = JSONObject(type: "link")
        json.set("kind", kind)
        json.set("relays", locations)
        json.set("link", link.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let what =
            switch link.kind {
            case .invitation: "one-time invitation"
            case .address(.contact): "contact address"
            case .address(.channel): "channel"
            case .address(.group): "group"
            case .address(.relay): "channel relay"
            }
        return [StyledText("\(what) on \(locations.joined(separator: ", "))")]
    }
}
