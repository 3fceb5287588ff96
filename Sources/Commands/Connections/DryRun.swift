import AgentProtocol
import ChatCore
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
        guard let request = try? ConnectionRequest(text: text) else {
            throw ChatError.invalidLink
        }
        try invocation.print(LinkReport(request: request))
        return .ok
    }
}

/// A link that was taken apart.
struct LinkReport: Report {
    let request: ConnectionRequest

    static let fields = ["kind", "relays"]

    private var locations: [String] { request.queues.queues.map(\.location.server.place) }

    private var kind: String {
        switch request {
        case .invitation: "invitation"
        case .contact: "address"
        }
    }

    var json: JSONObject {
        var json = JSONObject(type: "link")
        json.set("kind", kind)
        json.set("relays", locations)
        json.set("link", request.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let what =
            switch request {
            case .invitation: "an invitation for one person"
            case .contact: "the address of somebody"
            }
        return [StyledText("\(what), by way of \(locations.joined(separator: ", "))")]
    }
}
