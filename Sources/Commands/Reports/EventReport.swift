import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// Something that happened besides messages.
struct EventReport: Report {
    private let notice: EventNotice

    /// Contacts and members share some.
    private static let kinds: [String] = {
        var seen: Set<String> = []
        return ChatEvents.all.flatMap { $0.slugs }.filter { seen.insert($0).inserted }
    }()

    static let forms = [
        ReportForm(
            "event", "An event other than a message",
            [
                .always("event", .word(kinds), "Kind of event"),
                .sometimes("chat", .text, "Contact or group, in the form that commands accept"),
                .sometimes("chat_id", .id, "Id of the contact or group"),
                .sometimes("member", .text, "Member of the group, in the form that commands accept"),
                .sometimes("member_id", .id, "Id of the member"),
                .sometimes("member_name", .text, "Local name of the member"),
                .sometimes("role", .word(GroupRole.words), "Role of the member"),
                .sometimes("connection", .id, "Id of the invitation or join attempt"),
                .sometimes("request", .id, "Id of the contact request"),
                .sometimes("name", .text, "Name in the sender's profile"),
                .sometimes("relay", .text, "Host and port of the relay"),
                .sometimes("address", .text, "Address of the relay"),
                .sometimes("reason", .text, "Reason why the relay is unreachable, in words, which may change"),
                .sometimes("message", .id, "Id of the changed, deleted or reacted-to message"),
                .sometimes("file", .object(MessageReport.fileFields), "File that the event is about"),
                .sometimes("text", .text, "New text of an edited message"),
                .sometimes("reaction", .text, "Emoji; a question mark for an unknown reaction"),
                .sometimes(
                    "session",
                    .object([
                        .sometimes("description", .text, "Description of the streams: rtcSession of the protocol"),
                        .always("candidates", .text, "Network candidates: rtcIceCandidates of the protocol"),
                    ]), "Session data for the caller's media program, unchanged"),
            ])
    ]

    /// Nil for what no person waits for, and for messages.
    init?(_ event: some ChatEvent) {
        guard let notice = event.notice else { return nil }
        self.init(notice)
    }

    init(_ notice: EventNotice) {
        self.notice = notice
    }

    /// True if an entry of the conversation says the same to people.
    var isInChat: Bool { notice.isInChat }

    /// True if it is about a relay.
    var isAboutRelay: Bool { notice.server != nil }

    var json: JSONObject {
        var json = JSONObject(type: "event")
        json.set("event", notice.slug)
        json.set("chat", notice.chat?.target)
        json.set("chat_id", notice.chat?.objectID)
        if let group = notice.chat?.group, let member = notice.member {
            json.set("member", member.isUser ? nil : member.target(in: group))
            json.set("member_id", member.objectID)
            json.set("member_name", member.name)
            json.set("role", member.role.word)
        }
        json.set("connection", notice.connection.map { ObjectID.text($0.id) })
        json.set("request", notice.request.map { ObjectID.text($0.id) })
        json.set("name", notice.request?.name)
        json.set("relay", notice.server?.place)
        json.set("address", notice.server?.description)
        json.set("reason", notice.problem?.sentence)
        json.set("message", notice.item.map { ObjectID.text($0.id) })
        json["file"] = notice.file.map { .object(MessageReport.fields($0)) }
        json.set("text", notice.changedText)
        json.set("reaction", notice.reaction?.text)
        json["session"] = notice.streams.map { .object($0.fields) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [sentenceWithSubject] + (advice.map { [StyledText("  try: \($0)", .hint)] } ?? [])
    }

    /// All of it in words for people.
    var sentenceWithSubject: StyledText {
        StyledText(subject, notice.connection == nil || notice.chat != nil ? .name : .plain)
            + StyledText(subject.isEmpty ? sentence : " \(sentence)")
            + StyledText(notice.file.map { " \($0.summary)" } ?? "", .muted)
    }

    /// What happened, without whom it is about.
    var sentence: String {
        notice.problem.map { problem in
            let reason = Reason(problem)
            // "is unreachable" says as much as the reason of the same name.
            let cause = reason.code.text == notice.slug ? reason.why.first : problem.sentence
            return "\(notice.sentence.text)\(cause.map { ": \($0)" } ?? "")"
        } ?? notice.sentence.text
    }

    /// The command line that helps, where no notice of the conversation has it.
    var advice: String? { notice.isOutOfStep ? notice.chat?.contact?.advice(.outOfStep) : nil }

    /// Whom or what it is about, as it is typed; empty if that is not known.
    var subject: String {
        // Who changed a message of a group; other sentences about members name them.
        if let server = notice.server { return server.place }
        if let group = notice.chat?.group, let member = notice.member, notice.item != nil {
            return member.target(in: group)
        }
        return notice.chat?.target ?? notice.request?.target ?? notice.connection.map { ObjectID.text($0.id) } ?? ""
    }
}

extension EventNotice {
    /// The file that it is about.
    var file: ChatFile? { slug.hasPrefix("file.") ? item?.file : nil }
}

extension EventNotice.CallStreams {
    fileprivate var fields: JSONObject {
        var fields = JSONObject()
        fields.set("description", description)
        fields.set("candidates", candidates)
        return fields
    }
}
