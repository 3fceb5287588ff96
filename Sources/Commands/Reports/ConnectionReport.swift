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
            "invitation", "An invitation, and its link", plain: ["link"],
            [
                .always("id", .id, "The invitation"),
                .always("link", .text, "What the other person uses, short unless the long form was asked for"),
                .sometimes("short_link", .text, "The short form"), .sometimes("full_link", .text, "The long form"),
                .always("state", .word(ContactConnection.Status.words), "How far it is"),
                .sometimes("name", .text, "What the contact is going to be called"),
                .sometimes("incognito", .text, "The made up name that the other side knows this one by"),
                .always("created_at", .time, "When it was made"),
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
        json.set("name", connection.wishedName)
        json.set("incognito", connection.incognito?.displayName)
        json.set("created_at", connection.createdAt.description)
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

    static let forms = [
        ReportForm(
            "connection", "How far the handshake with somebody has come", plain: ["id", "state", "chat", "chat_id"],
            [
                .always("id", .id, "The invitation, or the attempt to join"),
                .always("state", .word(ContactConnection.Status.words), "How far it is, in the words of --wait"),
                .sometimes("role", .word(roles), "Whose link it is"),
                .sometimes("chat", .text, "The contact as it is typed, once it is known"),
                .sometimes("chat_id", .id, "The contact"),
                .sometimes("name", .text, "What the contact is going to be called"),
                .sometimes("incognito", .text, "The made up name that the other side knows this one by"),
                .always("created_at", .time, "When it began"),
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
        json.set("name", connection.wishedName)
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
        case .new: "the invitation waits for somebody"
        case .prepared: "the \(message) is stored"
        case .joined, .requested, .accepted, .sendReady: "the \(message) is with the relay"
        case .ready: "connected"
        case .deleted: "the invitation is cancelled"
        case .failed: "the connection could not be made"
        }
    }
}
