import AgentProtocol
public import ChatProtocol
public import JSONCoding
import SMPProtocol

extension FormattedText {
    /// Returns the parts of a text with marks and links of the network, or nil for a text without them.
    public static func parts(of text: String) -> [FormattedText]? {
        parts(of: text, link: SimplexLink.init(text:))
    }

    /// `formattedText` of the API; nil for a text without marks.
    public static func json(of text: String) -> JSONValue? {
        parts(of: text).map { .array($0.map(\.json)) }
    }
}

extension SimplexLink {
    /// Reads a text that consists of a link, or returns nil for another text.
    init?(text: String) {
        guard let link = try? ConnectionLink(text: text) else { return nil }
        let hosts = link.servers.flatMap(\.hosts).map(\.description)
        switch link {
        case .full(let request):
            self.init(Kind(request), uri: request.description, hosts: hosts, isFull: true)
        case .short(let short):
            let uri = ShortLink(scheme: .simplex, target: short.target, server: short.server, key: short.key)
            self.init(Kind(short.kind), uri: uri.description, hosts: hosts, isFull: false)
        }
    }
}

extension SimplexLink.Kind {
    fileprivate init(_ kind: LinkKind) {
        self =
            switch kind {
            case .invitation: .invitation
            case .address(.contact): .contact
            case .address(.group): .group
            case .address(.channel): .channel
            case .address(.relay): .relay
            }
    }

    /// The text of a full link for the application shows that it leads to a group.
    fileprivate init(_ request: ConnectionRequest) {
        guard case .contact(let queues) = request else {
            self = .invitation
            return
        }
        let text = queues.clientText.flatMap { try? JSONValue(decoding: Array($0.utf8)) }
        self = text?.object?["type"] == "group" ? .group : .contact
    }
}
