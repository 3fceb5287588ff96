import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import TestSupport

@testable import ChatCore

/// A channel that alice serves as a relay, with an owner and subscribers that are connected with her.
final class RelayBench {
    let house: GroupBench
    let owner: GroupMember
    private(set) var keys: [GroupMemberID: Ed25519.PrivateKey] = [:]
    private var seed: UInt64 = 10

    static let publicID = Bytes(repeating: 5, count: 32)

    init(_ preferences: GroupPreferences = GroupPreferences()) throws {
        let house = try GroupBench(role: .relay, preferences)
        self.house = house
        let id = house.id, store = house.bench.store
        var profile = try house.group().profile
        profile.publicGroup = PublicGroup(link: "https://127.0.0.1/c#x", id: RelayBench.publicID)
        let own = Ed25519.PrivateKey(random: SeededRandom(seed: 1))
        try store.transaction {
            try store.update(id, profile: profile, name: "team", at: house.bench.now)
            try store.setChannel(RelayBench.publicID, rootKey: nil, key: own, of: id)
            try store.setOwnStatus(.accepted, id)
        }
        let olga = try house.member("olga", .owner)
        owner = olga
        try key(of: olga)
    }

    var store: ChatStore { house.bench.store }

    @discardableResult
    private func key(of member: GroupMember) throws -> Ed25519.PrivateKey {
        seed += 1
        let key = Ed25519.PrivateKey(random: SeededRandom(seed: seed))
        keys[member.id] = key
        try store.transaction { try store.setPublicKey(key.publicKey.der, of: member.id) }
        return key
    }

    func subscriber(_ name: String, _ role: GroupRole = .observer) throws -> GroupMember {
        let member = try house.member(name, role, .invitee)
        try key(of: member)
        return try house.member(member.id)
    }

    // MARK: - What members send

    /// A message as an element, perhaps with the signature of its author.
    func element(_ event: ChatMessage.Event, _ id: UInt8, signedBy author: GroupMember? = nil) -> Bytes {
        let text = ChatMessage(id: Workbench.sharedID(id), event: event).encoded
        guard let author, let key = keys[author.id] else { return text }
        return ElementSignature(text, as: author.memberID, in: RelayBench.publicID, with: key).encoded
    }

    func post(_ text: String, asChannel: Bool = true) -> ChatMessage.Event {
        .message(MessageContainer(MessageContent(text), isFromGroup: asChannel))
    }

    /// Elements of a member arrive, and what follows from them is passed on.
    func receive(_ elements: [Bytes], from member: GroupMember, andRelay isRelayed: Bool = true) throws {
        for batch in BinaryBatch.batches(of: elements) {
            try house.receive(payload: batch.payload ?? [], from: member)
        }
        if isRelayed { house.bench.environment.pass(.seconds(1)) }
    }

    /// A roster of the owner arrives: the signed message, and its file in chunks.
    ///
    /// - Parameter blob: The file, if it is another than that of the entries.
    func receiveRoster(_ version: Int64, _ entries: [Roster.Entry], _ id: UInt8, blob: Bytes? = nil) throws {
        let file = Roster(entries).encoded
        let event = ChatMessage.Event.group(
            .roster(
                version: version, RosterFile(size: Int64(file.count), digest: SHA512.hash(file))))
        try receive([element(event, id, signedBy: owner)], from: owner)
        let chunk = FileChunk(messageID: Workbench.sharedID(id), .data(number: 1, blob ?? file))
        try house.receive(payload: chunk.encoded, from: owner)
        house.bench.environment.pass(.seconds(1))
    }

    func entry(of member: GroupMember, _ role: GroupRole) throws -> Roster.Entry {
        Roster.Entry(member.memberID, key: try store.publicKey(of: member.id) ?? [], role: role)
    }

    // MARK: - What they get

    /// The elements that a member got.
    func elements(to member: GroupMember) -> [ChatElement] {
        house.bench.agent.payloads.filter { $0.connection == member.connection?.id }.flatMap {
            ChatPayload.elements(of: $0.body)
        }
    }

    /// What a member got, in words: the name of an event, `C` or the author of what was passed on, and its text.
    func got(_ member: GroupMember) -> [String] {
        elements(to: member).map { element in
            switch element.content {
            case .success(.message(let message)): RelayBench.words(message)
            case .success(.forwarded(let forwarded, let original)):
                (forwarded.memberName ?? "C") + ": "
                    + {
                        if case .success(.message(let message)) = original.content { return RelayBench.words(message) }
                        return "chunk"
                    }()
            case .success(.chunk): "chunk"
            case .failure: "malformed"
            }
        }
    }

    private static func words(_ message: ChatMessage) -> String {
        switch message.event {
        case .message(let container): container.content.text
        case .group(.memberJoined(let info, _), _): "new \(info.profile.displayName)"
        default: message.event.name
        }
    }
}
