import ChatCore
import JSONCoding
import TerminalKit

/// A new link: the only text of it is the link itself, so that it can be piped.
struct InvitationReport: Report {
    let connection: ContactConnection
    /// Whether the long form of the link is wanted.
    var isFull = false

    static let fields = ["link"]
    static let otherFields = ["v", "type", "id", "state", "name", "full_link", "short_link"]

    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("SINCE"), Table.Column("LINK"),
    ]

    private var link: String { (isFull ? nil : connection.shortLink) ?? connection.link ?? "" }

    var json: JSONObject {
        var json = JSONObject(type: "invitation")
        json.set("id", ObjectID.text(connection.id))
        json.set("link", link)
        json.set("short_link", connection.shortLink)
        json.set("full_link", connection.link)
        json.set("state", connection.status.word)
        json.set("name", connection.wishedName)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(link)]
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText(ObjectID.text(connection.id), .muted), StyledText(connection.wishedName ?? ""),
            style.time(connection.createdAt), StyledText(link),
        ]
    }
}

/// How far the handshake with somebody has come.
struct ConnectionReport: Report {
    let connection: ContactConnection
    /// Known as soon as the other side said who it is.
    let contact: Contact?
    /// Whether this side answers a request.
    var isAnswer = false

    static let fields = ["id", "state", "chat", "chat_id"]
    static let otherFields = ["v", "type", "name", "role"]

    var json: JSONObject {
        var json = JSONObject(type: "connection")
        json.set("id", ObjectID.text(connection.id))
        json.set("state", connection.status.word)
        json.set("role", connection.isInitiated ? "inviting" : "joining")
        json.set("chat", contact?.target)
        json.set("chat_id", contact?.objectID)
        json.set("name", connection.wishedName)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let name = contact.map { StyledText(" \($0.target)", .name) } ?? StyledText()
        return [
            StyledText(connection.status.sentence(isAnswer ? "answer" : "request")) + name
                + StyledText(" (\(ObjectID.text(connection.id)))", .muted)
        ]
    }
}

extension ContactConnection.Status {
    /// How far it is, in the words of `connect --wait`.
    var word: String {
        switch self {
        case .new: "waiting"
        case .prepared: "queued"
        case .joined, .requested, .accepted, .sendReady: "sent"
        case .ready: "connected"
        case .deleted: "deleted"
        case .failed: "failed"
        }
    }

    fileprivate func sentence(_ message: String) -> String {
        switch self {
        case .new: "the invitation waits for somebody"
        case .prepared: "the \(message) is stored"
        case .joined, .requested, .accepted, .sendReady: "the \(message) is with the relay"
        case .ready: "connected"
        case .deleted: "the invitation is cancelled"
        case .failed: "the connection could not be made"
        }
    }
}
