import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import SMPClient
import SMPProtocol
import Store
import TestSupport

@testable import ChatCore

/// What the agent of a person has on disk.
final class SimulatedRecords {
    /// A connection.
    struct Wire {
        var peer: SimulatedEnd?
        var link: LinkPair?
        /// A request waits for its answer.
        var isConfirmed = false
        var canSend = false
        var isDeleted = false
        var outbox: [SimulatedPacket] = []
        var tokens: Set<Bytes> = []
        /// The number of the last packet of each sender.
        var received: [SimulatedEnd: Int] = [:]
        var lastNumber = 0
    }

    var wires: [ConnectionID: Wire] = [:]
    /// The events that were not forgotten.
    var events: [AgentEvent] = []
    var lastEvent: Int64 = 0
}

/// An agent as the rest of the program relies on it: what it accepted is on disk, arrives once and in order, and events are handed
/// over until they are forgotten. Its process may end at each call, before or after it.
final class SimulatedAgent: FakeAgent {
    private let person: Int
    private let relays: SimulatedRelays
    private let records: SimulatedRecords
    /// How likely the process ends at a call, in percent.
    var mortality = 0.0
    private(set) var isDead = false
    /// Called when the process ends.
    var onDeath: () -> Void = {}

    init(_ person: Int, _ relays: SimulatedRelays, _ records: SimulatedRecords) {
        self.person = person
        self.relays = relays
        self.records = records
    }

    // MARK: - Ends of the process

    private static let death = AgentError.store(StoreError(.disk))

    private func checkLife() throws(AgentError) {
        if isDead { throw SimulatedAgent.death }
    }

    private func mayDie() throws(AgentError) {
        try checkLife()
        guard mortality > 0, relays.happens(mortality) else { return }
        die()
        throw SimulatedAgent.death
    }

    /// The process ends: what is not on disk is lost.
    func die() {
        guard !isDead else { return }
        isDead = true
        onDeath()
    }

    // MARK: - Connections

    private func end(_ id: ConnectionID) -> SimulatedEnd { SimulatedEnd(person: person, connection: id) }

    private func wire(_ id: ConnectionID) throws(AgentError) -> SimulatedRecords.Wire {
        try checkLife()
        guard let wire = records.wires[id], !wire.isDeleted else { throw .unknownConnection }
        return wire
    }

    /// Connects two people, as if they had joined long ago.
    func connect(_ id: ConnectionID, with peer: SimulatedEnd) {
        records.wires[id] = SimulatedRecords.Wire(peer: peer, isConfirmed: true, canSend: true)
    }

    override func contains(_ id: ConnectionID) throws(AgentError) -> Bool {
        try checkLife()
        return records.wires[id].map { !$0.isDeleted } ?? false
    }

    override func canSend(to id: ConnectionID) throws(AgentError) -> Bool {
        try checkLife()
        return records.wires[id]?.canSend ?? false
    }

    override func join(
        _ id: ConnectionID, _ profileID: ProfileID, _ link: ConnectionLink, information: Bytes,
        replyServer: ServerAddress, postQuantum: PostQuantumSupport
    ) throws(AgentError) {
        try mayDie()
        guard records.wires[id] == nil, let target = relays.end(of: link) else { return }
        records.wires[id] = SimulatedRecords.Wire()
        if link.kind == .invitation {
            records.wires[id]?.peer = target
            records.wires[id]?.isConfirmed = true
            records.wires[id]?.canSend = true
            put(.confirmation(information, from: end(id)), to: target, id)
        } else {
            put(.request(relays.link(to: end(id), isAddress: false), information), to: target, id)
        }
        try mayDie()
    }

    override func allow(_ id: ConnectionID, information: Bytes) throws(AgentError) {
        try mayDie()
        guard let wire = records.wires[id], let peer = wire.peer, !wire.canSend else { throw .connection(.notReady) }
        records.wires[id]?.canSend = true
        put(.information(information), to: peer, id)
        try mayDie()
    }

    override func delete(_ id: ConnectionID) throws(AgentError) {
        try mayDie()
        records.wires[id]?.isDeleted = true
        try mayDie()
    }

    private func put(_ content: SimulatedPacket.Content, to target: SimulatedEnd, _ id: ConnectionID) {
        guard var wire = records.wires[id] else { return }
        wire.lastNumber += 1
        wire.outbox.append(
            SimulatedPacket(content: content, target: target, number: wire.lastNumber, source: end(id)))
        records.wires[id] = wire
    }

    // MARK: - Links

    override func invite(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        postQuantum: PostQuantumSupport, finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        makeLink(id, isAddress: false, nil, finish)
    }

    override func createAddress(
        _ id: ConnectionID, _ profileID: ProfileID, server: ConfiguredServer, showing content: Bytes,
        clientText: String?, identity: AddressIdentity?,
        finish: @escaping (Result<LinkPair, AgentError>) -> Void
    ) {
        makeLink(id, isAddress: true, clientText, finish)
    }

    private func makeLink(
        _ id: ConnectionID, isAddress: Bool, _ clientText: String?,
        _ finish: (Result<LinkPair, AgentError>) -> Void
    ) {
        guard !isDead else { return finish(.failure(SimulatedAgent.death)) }
        if mortality > 0, relays.happens(10) {
            return finish(.failure(.relay(Workbench.server, .timedOut)))
        }
        let pair = LinkPair(
            full: relays.link(to: end(id), isAddress: isAddress, clientText: clientText), short: nil)
        records.wires[id] = SimulatedRecords.Wire(link: pair)
        if mortality > 0, relays.happens(mortality * 5) {
            die()
            return finish(.failure(SimulatedAgent.death))
        }
        finish(.success(pair))
    }

    override func links(of id: ConnectionID) throws(AgentError) -> LinkPair? { try wire(id).link }

    // MARK: - Messages

    override func send(
        _ body: Bytes, notifies: Bool, postQuantum: Bool?, token: Bytes, to id: ConnectionID
    ) throws(AgentError) -> Bool {
        try mayDie()
        let wire = try wire(id)
        guard wire.canSend, let peer = wire.peer else { throw .connection(.notReady) }
        if records.wires[id]?.tokens.insert(token).inserted == true {
            put(.message(body, token: token), to: peer, id)
        }
        try mayDie()
        return false
    }

    override func withdraw(_ token: Bytes, to id: ConnectionID) throws(AgentError) -> Bool {
        try mayDie()
        guard let wire = records.wires[id] else { throw .unknownConnection }
        let index = wire.outbox.firstIndex { packet in
            if case .message(_, token) = packet.content { true } else { false }
        }
        if let index { records.wires[id]?.outbox.remove(at: index) }
        try mayDie()
        return index != nil
    }

    // MARK: - Events

    private func add(_ content: AgentEvent.Content, _ id: ConnectionID) {
        records.lastEvent += 1
        let event = AgentEvent(
            id: records.lastEvent, connectionID: id, profileID: ProfileID(1), content: content)
        records.events.append(event)
        handler(event)
    }

    override func replayEvents(after id: Int64) throws(AgentError) -> [(Int64, ConnectionID)] {
        records.events.removeAll { $0.id <= id }
        for event in records.events where !isDead { handler(event) }
        return []
    }

    override func unforgottenEvents(through id: Int64) throws(AgentError) -> [AgentEvent] {
        records.events.filter { $0.id <= id }
    }

    override func forgetEvents(through id: Int64) {
        guard !isDead else { return }
        if mortality > 0, relays.happens(mortality) { return die() }
        records.events.removeAll { $0.id <= id }
    }

    override func confirm(_ event: AgentEvent) {}

    override func noteFailure(ofEvent id: Int64) throws(AgentError) -> Int {
        try checkLife()
        return 1
    }

    override func stop() throws(AgentError) {}

    // MARK: - What relays do

    /// The connections with something to send, in order.
    var filledOutboxes: [ConnectionID] {
        records.wires.filter { !$0.value.outbox.isEmpty }.keys.sorted { $0.number < $1.number }
    }

    func hasPackets(_ id: ConnectionID) -> Bool { records.wires[id]?.outbox.isEmpty == false }

    /// A relay accepts the first packet of an outbox. `isRefused` is true if the queue is gone.
    func flush(_ id: ConnectionID, isRefused: (SimulatedEnd) -> Bool) {
        guard !isDead, let packet = records.wires[id]?.outbox.first else { return }
        records.wires[id]?.outbox.removeFirst()
        let refused = isRefused(packet.target)
        if !refused { relays.accept(packet) }
        switch packet.content {
        case .message(_, let token): add(refused ? .merr(token: token, .refused) : .sent(token: token), id)
        case .confirmation, .request: if !refused { add(.connection(.joined), id) }
        case .information, .hello: break
        }
    }

    /// A packet arrives.
    func receive(_ packet: SimulatedPacket) {
        let id = packet.target.connection
        guard !isDead, let wire = records.wires[id], !wire.isDeleted,
            packet.number > wire.received[packet.source, default: 0]
        else { return }
        records.wires[id]?.received[packet.source] = packet.number
        switch packet.content {
        case .request(let link, let information): add(.connection(.req(link, information: information)), id)
        case .confirmation(let information, let peer):
            guard wire.peer == nil else { return }
            records.wires[id]?.peer = peer
            records.wires[id]?.isConfirmed = true
            add(.connection(.conf(information: information, supportsPostQuantum: false)), id)
        case .information(let information):
            put(.hello, to: packet.source, id)
            add(.connection(.info(information, supportsPostQuantum: false)), id)
            add(.connection(.con(isPostQuantum: false)), id)
        case .hello: add(.connection(.con(isPostQuantum: false)), id)
        case .message(let body, _):
            add(
                .connection(
                    .msg(
                        ReceivedMessage(
                            number: Int64(packet.number), hash: [], relayTime: packet.relayTime, integrity: .ok,
                            isPostQuantum: false, body: body))), id)
        }
    }

    /// True if a queue of this person is not there any more.
    func isGone(_ id: ConnectionID) -> Bool { records.wires[id]?.isDeleted ?? true }
}
