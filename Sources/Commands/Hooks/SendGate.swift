import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// The hook `pre-send`, which is asked before something is said to a contact: whatever command of whichever face says it.
struct SendGate {
    private let program: HookProgram
    private let running: RunningHook
    private let core: LocalCore
    private let loop: EventLoop

    /// Nil if there is no such hook.
    init?(_ folder: HookFolder, _ invocation: Invocation, _ core: LocalCore, _ loop: EventLoop) {
        guard case .ready(let path) = folder.state(of: .preSend) else { return nil }
        program = HookProgram(hook: .preSend, path: path, environment: invocation.environment)
        running = invocation.runningHook
        self.core = core
        self.loop = loop
    }

    /// Why a command must not be carried out; nil if the hook agrees with all that would be said.
    func objection(to command: CoreCommand) async throws -> String? {
        switch command {
        case .send(let chat, let messages, _):
            let (profile, contact) = try await conversation(chat)
            for message in messages {
                let draft = DraftReport(contact, message.content, answers: message.quoted)
                if let objection = await ask(draft, profile) { return objection }
            }
        case .forward(let chat, _, let ids):
            let (profile, contact) = try await conversation(chat)
            for id in ids {
                guard let item = try await item(id), case .message(let content) = item.content else { continue }
                if let objection = await ask(DraftReport(contact, content, forwards: id), profile) { return objection }
            }
        case .editItem(let chat, let id, let content):
            let (profile, contact) = try await conversation(chat)
            return await ask(DraftReport(contact, content, edits: id), profile)
        default: break
        }
        return nil
    }

    private func conversation(_ chat: ChatTarget) async throws -> (OwnProfile, Contact) {
        guard case .chat(let profile, let contact, _) = try await core.execute(.showChat(chat, .last(0))) else {
            throw UnexpectedResponse()
        }
        return (profile, contact)
    }

    private func item(_ id: ChatItemID) async throws -> ChatItem? {
        guard case .items(_, let items) = try await core.execute(.showItem(id)) else { throw UnexpectedResponse() }
        return items.first?.item
    }

    private func ask(_ draft: DraftReport, _ profile: OwnProfile) async -> String? {
        let call = HookCall(
            hook: program.hook.rawValue, profileID: profile.id, event: draft.json.line,
            chatID: draft.contact.objectID)
        let ending = await program.run(call, on: loop, running)
        return ending.isGood ? nil : ending.words
    }
}

/// Something that is about to be said, and is in no store yet.
struct DraftReport: Report {
    let contact: Contact
    private let content: MessageContent
    private let answers: ChatItemID?
    private let edits: ChatItemID?
    private let forwards: ChatItemID?

    init(
        _ contact: Contact, _ content: MessageContent, answers: ChatItemID? = nil, edits: ChatItemID? = nil,
        forwards: ChatItemID? = nil
    ) {
        self.contact = contact
        self.content = content
        self.answers = answers
        self.edits = edits
        self.forwards = forwards
    }

    static let forms = [
        ReportForm(
            "draft", "Something that is about to be said to a contact, for the hook pre-send",
            [
                .always("chat", .text, "The contact as it is typed"), .always("chat_id", .id, "The contact"),
                .always("text", .text, "What is going to be said"),
                .sometimes("reply_to", .id, "The message that it answers"),
                .sometimes("edits", .id, "The message of which it takes the place"),
                .sometimes("forwards", .id, "The message that is passed on"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "draft")
        json.set("chat", contact.target)
        json.set("chat_id", contact.objectID)
        json.set("text", content.text)
        json.set("reply_to", answers.map { ObjectID.text($0) })
        json.set("edits", edits.map { ObjectID.text($0) })
        json.set("forwards", forwards.map { ObjectID.text($0) })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(contact.target, .name) + "  " + StyledText(UntrustedText(content.text).singleLine)]
    }
}
