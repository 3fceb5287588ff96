import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// The hook `pre-send`, which is asked before something is said to a contact or group: whatever command of whichever face says it.
struct SendGate {
    private let program: HookProgram
    private let running: RunningHook
    private let loop: EventLoop

    /// Nil if there is no such hook.
    init?(_ folder: HookFolder, _ invocation: Invocation, _ loop: EventLoop) {
        guard case .ready(let path) = folder.state(of: .preSend) else { return nil }
        program = HookProgram(hook: .preSend, path: path, environment: invocation.environment)
        running = invocation.runningHook
        self.loop = loop
    }

    /// Why texts must not be sent; nil if the hook agrees with all of them.
    func objection(to utterances: [Utterance]) async -> String? {
        for utterance in utterances {
            if let objection = await ask(DraftReport(utterance), utterance.profile) { return objection }
        }
        return nil
    }

    private func ask(_ draft: DraftReport, _ profile: OwnProfile) async -> String? {
        let call = HookCall(
            hook: program.hook.rawValue, profileID: profile.id, event: draft.json.line,
            chatID: draft.chat.objectID)
        let ending = await program.run(call, on: loop, running)
        return ending.isGood ? nil : ending.words
    }
}

/// Something that is about to be said, and is in no store yet.
struct DraftReport: Report {
    private let draft: Utterance
    var chat: Chat { draft.chat }

    init(_ draft: Utterance) {
        self.draft = draft
    }

    static let forms = [
        ReportForm(
            "draft", "A message about to be sent, for the hook pre-send",
            [
                .always("chat", .text, "Contact or group, in the form that commands accept"),
                .always("chat_id", .id, "Id of the contact or group"),
                .sometimes("to_moderators", .flag, "True if only the moderators of the group get the message"),
                .always("text", .text, "Text of the message"),
                .sometimes("reply_to", .id, "Id of the message to reply to"),
                .sometimes("edits", .id, "Id of the message to edit"),
                .sometimes("forwards", .id, "Id of the message to forward"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "draft")
        json.set("chat", chat.target)
        json.set("chat_id", chat.objectID)
        if draft.isForModerators { json.set("to_moderators", true) }
        json.set("text", draft.content.text)
        json.set("reply_to", draft.answers.map { ObjectID.text($0) })
        json.set("edits", draft.edits.map { ObjectID.text($0) })
        json.set("forwards", draft.forwards.map { ObjectID.text($0) })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(chat.target, .name) + "  " + StyledText(UntrustedText(draft.content.text).singleLine)]
    }
}
