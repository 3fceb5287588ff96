import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding

@testable import ChatCore

/// A channel of an owner, with alice as a subscriber or another member, and relays that are connected with her.
struct ChannelBench {
    let team: GroupBench
    let owner: GroupMember
    let relay: GroupMember
    let second: GroupMember
    let ownerKey = ChannelBench.key(1)
    static let publicID = Bytes(repeating: 42, count: 32)

    init(role: GroupRole = .observer) throws {
        team = try GroupBench(role: role)
        let store = team.bench.store, id = team.id
        let presented = GroupProfile(
            displayName: "team", publicGroup: PublicGroup(link: "l", id: ChannelBench.publicID))
        let now = team.bench.now
        try store.transaction {
            try store.setChannel(ChannelBench.publicID, rootKey: nil, key: ChannelBench.key(9), of: id)
            try store.update(id, profile: presented, name: "team", at: now)
        }
        owner = try team.member("owner", .owner, .pre, status: .introduced, isConnected: false)
        relay = try team.member("relay", .relay, .host)
        second = try team.member("second", .relay, .host)
        let ownerID = owner.id, der = ownerKey.publicKey.der
        try store.transaction { try store.setPublicKey(der, of: ownerID) }
    }

    static func key(_ byte: UInt8) -> Ed25519.PrivateKey {
        guard let key = try? Ed25519.PrivateKey(seed: Secret(copying: Bytes(repeating: byte, count: 32))) else {
            preconditionFailure("a seed")
        }
        return key
    }

    func message(_ event: ChatMessage.Event, _ id: UInt8) -> Bytes {
        ChatMessage(id: Workbench.sharedID(id), event: event).encoded
    }

    /// A signed element of a member.
    func signed(
        _ event: ChatMessage.Event, _ id: UInt8, of author: GroupMember, with key: Ed25519.PrivateKey,
        in publicID: Bytes = ChannelBench.publicID
    ) -> Bytes {
        ElementSignature(message(event, id), as: author.memberID, in: publicID, with: key).encoded
    }

    /// A relay passes an element on.
    ///
    /// - Parameter author: Nil for a post of the channel.
    func pass(_ element: Bytes, of author: GroupMember?, through relay: GroupMember) throws {
        let forwarded = ForwardedElement(element, of: author?.memberID, named: author?.name, at: team.bench.now)
        var writer = ByteWriter()
        writer.uint8(UInt8(ascii: "="))
        writer.list([forwarded.encoded]) { writer, element in writer.largeBytes(element) }
        try team.receive(payload: writer.bytes, from: relay)
    }

    func post(_ text: String, _ id: UInt8, through relay: GroupMember) throws {
        try pass(
            message(.message(MessageContainer(MessageContent(text), isFromGroup: true)), id), of: nil, through: relay)
    }

    func refusals() -> [String] { team.bench.events().compactMap { ($0 as? MessageUnusableEvent)?.reason } }
}
