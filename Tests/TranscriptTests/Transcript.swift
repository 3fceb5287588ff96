import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// Replays one recorded sequence of commands and answers with two connections and without relays.
///
/// A command of the recording must be what its agent wants to do next; where an application acts (it accepts, it writes,
/// it sends a receipt), the recording says when. The order of acknowledgements is not the connection's business.
struct Transcript {
    private var agents: [String: TranscriptAgent] = [:]
    /// What was sent to each agent and is not received yet.
    private var queues: [String: [Bytes]] = [:]
    private let transport: [Vector]
    private let events: [Vector]
    private let replyMode: QueueMode?
    private let postQuantum: PostQuantumSupport

    init(_ recording: Vector) throws {
        transport = recording["transport"].list
        events = recording["api"].list
        replyMode = recording["name"].text.hasSuffix("-old") ? nil : .messaging
        postQuantum =
            switch recording["pqMode"].text {
            case "off": .off
            case "on": .on
            default: .inLink
            }
    }

    /// Replays all steps, compares what the applications were told, and returns how many steps there were.
    mutating func replay() throws -> Int {
        for step in transport {
            let name = step["agent"].text
            if let command = step.field("command")?.text.prefix(while: { $0 != " " }) {
                try send(String(command), step, name)
            } else {
                try receive(step, name)
            }
        }
        for (name, agent) in agents {
            #expect(agent.tasks.isEmpty)
            let recorded = events.filter { $0["agent"].text == name && $0.has("event") && $0["event"].text != "SENT" }
            #expect(agent.events.map(\.description) == recorded.map(TranscriptEvent.init).map(\.description))
        }
        return transport.count
    }

    private mutating func send(_ command: String, _ step: Vector, _ name: String) throws {
        switch command {
        case "NEW" where name == "alice":
            // Her second queue replaces the first.
            guard agents[name] != nil else { return agents[name] = try TranscriptAgent.initiator(postQuantum) }
            try agents[name]?.switchQueue()
            _ = try agents[name]?.take(command, at: step)
        case "ACK": try agents[name]?.acknowledge()
        case "SEND":
            let content = step["content"].text
            switch content {
            case "MSG": try agents[name]?.write()
            case "RCPT": try agents[name]?.sendReceipt()
            default: break
            }
            guard let body = try agents[name]?.take(content, at: step) else { return }
            queues[name == "alice" ? "bob" : "alice", default: []].append(body)
        default:
            if agents[name] == nil, let link = agents["alice"]?.connection.invitation?.description {
                agents[name] = try TranscriptAgent.joiner(link, postQuantum)
            }
            if command == "DEL" { agents[name]?.drained() }
            _ = try agents[name]?.take(command, at: step)
        }
    }

    private mutating func receive(_ step: Vector, _ name: String) throws {
        switch step["response"].text {
        case "IDS":
            if name == "bob" {
                try agents[name]?.created(replyMode)
            } else if step["queue"].text == "alice queue 2" {
                try agents[name]?.createdNext()
            }
        case "MSG":
            let body = try #require(queues[name]?.first)
            queues[name]?.removeFirst()
            try agents[name]?.receive(body)
        default:
            agents[name]?.delivered(step["entity"].text.hasSuffix("(sender side)"))
            if step["entity"].text == "alice queue 2 (recipient side)" { agents[name]?.secured() }
        }
    }
}

/// What an application was told, as far as the recording and this program have the same words for it.
struct TranscriptEvent: CustomStringConvertible {
    let description: String

    init(_ event: ConnectionEvent) {
        description =
            switch event {
            case .conf(_, let supportsPostQuantum): "CONF \(supportsPostQuantum)"
            case .req: "REQ"
            case .joined: "JOINED"
            case .info(_, let supportsPostQuantum): "INFO \(supportsPostQuantum)"
            case .con(let isPostQuantum): "CON \(isPostQuantum)"
            case .msg(let message): "MSG \(message.number) \(message.integrity == .ok) \(message.isPostQuantum)"
            case .rcvd(let receipts): "RCVD \(receipts.count)"
            case .switching(let direction, let phase): "SWITCH \(direction == .receiving ? "QDRcv" : "QDSnd") \(phase)"
            case .rsync(let state): "RSYNC \(state)"
            case .qcont: "QCONT"
            }
    }

    init(_ recorded: Vector) {
        let name = recorded["event"].text
        description =
            switch name {
            case "CONF", "INFO": "\(name) \(recorded["pqSupport"].bool)"
            case "CON": "CON \(recorded["pq"].bool)"
            case "MSG":
                "MSG \(recorded["sndMsgId"].int) \(recorded["integrity"].text == "OK") \(recorded["pq"].bool)"
            case "RCVD": "RCVD \(recorded["receipts"].list.count)"
            case "SWITCH": "SWITCH \(recorded["dir"].text) \(recorded["phase"].text.dropFirst(2).lowercased())"
            default: name
            }
    }
}
