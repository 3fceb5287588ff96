import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// A new link: the only text of it is the link itself, so that it can be piped.
struct InvitationReport: Report {
    let connection: ContactConnection
    /// Whether the long form of the link is wanted.
    var isFull = false

    static let forms = [
        ReportForm(
            "invitation", "An invitation and its link", plain: ["link"],
            [
                .always("id", .id, "Id of the invitation"),
                .always("link", .text, "Link for the contact: short, or long with --full"),
                .sometimes("short_link", .text, "Short link"), .sometimes("full_link", .text, "Long link"),
                .always("state", .word(ContactConnection.Status.words), "State of the connection"),
                .sometimes("name", .text, "Local name for the future contact"),
                .sometimes("incognito", .text, "Random name that the contact sees"),
                .always("created_at", .time, "Time of creation"),
            ])
    ]

    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("SINCE"), Table.Column("LINK"),
    ]

    /// The form of the link that is wanted.
    var link: String { (isFull ? nil : connection.shortLink) ?? connection.link ?? "" }

    var json: JSONObject {
        var json = JSONObject(type: "invitation")
        json.set("id", ObjectID.text(connection.id))
        json.set("link", link)
        json.set("short_link", connection.shortLink)
        json.set("full_link", connection.link)
        json.set("state", connection.status.word)
        json.set("name", connection.requestedName)
        json.set("incognito", connection.incognito?.displayName)
        json.set("created_at", connection.createdAt.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(link)]
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText(ObjectID.text(connection.id), .muted), StyledText(connection.requestedName ?? ""),
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

    static let forms = [
        ReportForm(
            "connection", "A connection in progress", plain: ["id", "state", "chat", "chat_id"],
            [
                .always("id", .id, "Id of the invitation or join attempt"),
                .always("state", .word(ContactConnection.Status.words), "State of the connection, as in --wait"),
                .sometimes("role", .word(roles), "Side that created the link: inviting or joining"),
                .sometimes("chat", .text, "Contact, in the form that commands accept, once known"),
                .sometimes("chat_id", .id, "Id of the contact"),
                .sometimes("name", .text, "Local name for the future contact"),
                .sometimes("incognito", .text, "Random name that the contact sees"),
                .always("created_at", .time, "Start of the connection"),
            ])
    ]
    static let roles = ["inviting", "joining"]

    var json: JSONObject {
        var json = JSONObject(type: "connection")
        json.set("id", ObjectID.text(connection.id))
        json.set("state", connection.status.word)
        json.set("role", connection.isInitiated ? "inviting" : "joining")
        json.set("chat", contact?.target)
        json.set("chat_id", contact?.objectID)
        json.set("name", connection.requestedName)
        json.set("incognito", connection.incognito?.displayName)
        json.set("created_at", connection.createdAt.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let name = contact.map { StyledText(" \($0.target)", .name) } ?? StyledText()
        let incognito = connection.incognito.map { StyledText(", as ") + StyledText($0.displayName, .name) }
        return [
            StyledText(connection.status.sentence(isAnswer ? "answer" : "request")) + name
                + StyledText(" (\(ObjectID.text(connection.id)))", .muted) + (incognito ?? StyledText())
        ]
    }
}

extension ContactConnection.Status {
    /// Every word for how far it may be.
    static let words = ["waiting", "queued", "sent", "connected", "deleted", "failed"]

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
        case .new: "the invitation is unused"
        case .prepared: "the \(message) is stored"
        case .joined, .requested, .accepted, .sendReady: "the relay has accepted the \(message)"
        case .ready: "connected"
        case .deleted: "the invitation is cancelled"
        case .failed: "the connection failed"
        }
    }
}
