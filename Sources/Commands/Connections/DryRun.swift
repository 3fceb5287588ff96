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
            invocation.note("an invitation would be made")
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
            "link", "A link that was taken apart", plain: ["kind", "relays"],
            [
                .always(
                    "kind", .word(["invitation", "address", "channel", "group", "relay"]), "What it leads to"),
                .always("relays", .texts, "The hosts of its relays"), .always("link", .text, "The link itself"),
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
            case .invitation: "an invitation for one person"
            case .address(.contact): "the address of somebody"
            case .address(.channel): "a channel"
            case .address(.group): "a group"
            case .address(.relay): "a program that relays channels"
            }
        return [StyledText("\(what), by way of \(locations.joined(separator: ", "))")]
    }
}
