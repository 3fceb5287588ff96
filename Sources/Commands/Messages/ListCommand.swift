import ChatCore
import CommandKit
import TerminalKit

/// `tacit list`
enum ListCommand {
    enum Subject: String, CaseIterable, Sendable {
        case chats, contacts, groups, messages, requests, invitations, files, outbox, profiles, servers
    }

    static let subject = Positional<Subject?>(
        optional: "WHAT",
        "Chats (the default), contacts, groups, messages, requests, invitations, files, outbox, profiles or servers",
        .choice())
    static let last = Option<Int?>(
        "last", letter: "n",
        "Print at most this many: the newest messages, the most recently active chats, the first of other lists",
        .count(in: 1...1_000_000), defaultText: "all; 20 for messages", isCommon: true
    )
    .writtenAsNumeral

    static let leaf: Leaf = .init(
        Command(
            "list", "List chats, contacts, groups, messages and more",
            promise: "the list was printed", store: .reading, positionals: [subject],
            options: [last],
            examples: [
                Example("tacit list", "List conversations, most recently active first"),
                Example("tacit list contacts --json", "List contacts as JSON, one object per line"),
                Example("tacit list chats --plain --fields name,unread", "Print name and unread count for awk or cut"),
            ],
            reports: ChatReport.forms + ContactReport.forms + GroupReport.forms + MessageReport.forms
                + RequestReport.forms
                + InvitationReport.forms + FileReport.forms + ProfileReport.forms + ServerReport.forms,
            discussion: "Listing marks no messages as read."),
        purpose: { "list \(($0[subject] ?? .chats).rawValue)" }, body: list)

    private static func list(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        switch invocation[subject] ?? .chats {
        case .chats: try await listChats(session)
        case .contacts:
            try invocation.print(
                list: limited(try await session.contacts(), invocation).map { ContactReport(contact: $0) })
        case .messages:
            let command = ListItems(try await session.profileID(), .last(invocation[last] ?? 20))
            try invocation.print(listed: try await session.execute(command).items)
        case .requests:
            let requests = try await RequestChoice.all(session).map { RequestReport(request: $0) }
            let members = try await RequestChoice.members(session).map { RequestReport(member: $0) }
            try invocation.print(list: limited(requests + members, invocation))
        case .invitations:
            try invocation.print(
                list: limited(try await InvitationCommand.all(session), invocation).map {
                    InvitationReport(connection: $0)
                })
        case .outbox:
            try invocation.print(listed: limited(try await OutboxListCommand.all(session), invocation))
        case .profiles:
            try invocation.print(
                list: limited(try await session.profiles(), invocation).map { ProfileReport(profile: $0) })
        case .groups:
            try invocation.print(list: limited(try await session.groups(), invocation).map { GroupReport(group: $0) })
        case .files:
            try invocation.print(
                list: limited(try await FileListCommand.all(session), invocation).map { FileReport($0) })
        case .servers:
            try invocation.print(list: limited(ServerReport.list(try await session.servers()), invocation))
        }
        return .ok
    }

    private static func listChats(_ session: CommandSession) async throws {
        let list = try await session.execute(
            SummarizeChats(try await session.profileID(), count: session.invocation[last]))
        let reports = list.chats.map { ChatReport($0) } + list.pending.map { ChatReport(pending: $0) }
        try session.invocation.print(list: limited(reports, session.invocation))
    }

    private static func limited<Item>(_ items: [Item], _ invocation: Invocation) -> [Item] {
        Array(items.prefix(invocation[last] ?? .max))
    }
}
