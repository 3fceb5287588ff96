import ChatCore
import ControlSocket
import JSONCoding
import SystemIO
import TerminalKit

/// What a session asks for whose store this process has open.
extension ControlService {
    /// Tells what happens from now on, until the request is cancelled. The first notification says that it has begun.
    static let listenMethod = "tacit.listen"
    /// Something that happened: `{"id", "kind", ...}`, see ``EventDigest``.
    static let eventMethod = "event"
    /// Carries out a command of the core in its text form, and answers which entries it was about: `{"items": [7, 8]}`.
    static let changeMethod = "tacit.change"

    func listen(_ request: RPCRequest, _ conversation: Conversation) throws(RPCProblem) {
        guard let id = request.id else { throw .params }
        let link = conversation.link
        @Sendable func tell(_ digest: JSONObject) {
            var params = digest
            params["id"] = id
            link.reply(RPCReply.notification(ControlService.eventMethod, params))
        }
        let listening = host.events.listen { event in
            if let event = SessionEvent(event) { tell(EventDigest(event).json) }
        }
        let session = ObjectIdentifier(conversation)
        let changes = host.changes.listen { if $0.session != session { tell(EventDigest($0.event).json) } }
        let visiting = host.visits.begin { place in
            tell(EventDigest(.visit(place)).json)
            return .told
        }
        let cancellation = Cancellation()
        conversation.commands[id] = cancellation
        cancellation.onRequest {
            listening.end()
            changes.end()
            visiting.end()
            link.finish(id)
            link.reply(RPCReply.result(.object([:]), to: id))
        }
        tell([:])
    }

    /// Carries out a command of the core in its text form, and answers with its JSON.
    static let executeMethod = "tacit.execute"

    func execute(_ request: RPCRequest, _ conversation: Conversation) throws(RPCProblem) {
        guard let id = request.id, let text = request.params?.array?.first?.string,
            let command = try? ChatCommands.parse(text)
        else { throw .params }
        let link = conversation.link, host = host, session = ObjectIdentifier(conversation)
        let task = Task(executorPreference: host.loop) {
            let answer: JSONObject
            do throws(ChatError) {
                let json = try await host.execute(command, for: session).json
                answer = RPCReply.result(.object(json), to: id)
            } catch {
                let failure = Explained(error).failure(during: OpenSession.purpose)
                answer = RPCReply.error(
                    Int64(failure.exit.rawValue), failure.what, data: .object(failure.json), to: id)
            }
            // The conversation is the loop's.
            host.loop.post {
                link.finish(id)
                link.reply(answer)
            }
        }
        let cancellation = Cancellation()
        cancellation.onRequest { task.cancel() }
        conversation.commands[id] = cancellation
    }

    func change(_ request: RPCRequest, _ conversation: Conversation) throws(RPCProblem) {
        guard let id = request.id, let text = request.params?.array?.first?.string,
            let command = try? CoreCommand(text: text)
        else { throw .params }
        let link = conversation.link, host = host, session = ObjectIdentifier(conversation)
        let task = Task(executorPreference: host.loop) {
            let answer: JSONObject
            do throws(ChatError) {
                let items = try await host.execute(command, for: session).items
                answer = RPCReply.result(
                    .object(["items": .array(items.map { .integer($0.item.id.number) })]), to: id)
            } catch {
                let failure = Explained(error).failure(during: OpenSession.purpose)
                answer = RPCReply.error(
                    Int64(failure.exit.rawValue), failure.what, data: .object(failure.json), to: id)
            }
            // The conversation is the loop's.
            host.loop.post {
                link.finish(id)
                link.reply(answer)
            }
        }
        let cancellation = Cancellation()
        cancellation.onRequest { task.cancel() }
        conversation.commands[id] = cancellation
    }
}

extension CoreResponse {
    /// The entries that were written or changed, as they are now.
    var items: [LocatedItem] {
        switch self {
        case .newItems(_, let items): items
        case .itemUpdated(_, let item), .reaction(_, let item, _, _), .callEnded(_, let item),
            .callAccepted(_, let item):
            [item]
        default: []
        }
    }
}
