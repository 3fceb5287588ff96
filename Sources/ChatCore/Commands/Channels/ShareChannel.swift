import AgentProtocol
public import ByteCoding
public import ChatProtocol
import CryptoCore
public import JSONCoding

/// Makes the content of a message that leads to a channel. The owner signs it for the chat that gets it (network-7.md 9.12).
/// (`/_share chat content #1 @2`)
public struct ShareChannel: ChatCommand {
    public var chat: ChatTarget
    public var target: ChatTarget

    public init(_ chat: ChatTarget, to target: ChatTarget) {
        self.chat = chat
        self.target = target
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_share chat content", .chat(\.chat), .chat(\.target), make: { Self($0, to: $1) }))

    public func perform(on core: isolated LocalCore) async throws -> SharedContent {
        guard let group = try core.lookup.chat(chat).group else { throw ChatError.channel(.sharing) }
        let isFromGroup = if case .channel = target { true } else { false }
        return SharedContent(
            try core.lookup.profile(group.profileID),
            try core.groups.card(of: group, for: try core.lookup.chat(target), isFromGroup: isFromGroup))
    }
}

/// Sends a message that leads to a channel, and that the owner signed for the chat. In a channel it is written as the channel.
/// (`/share chat #name @name`)
public struct SendChannel: ChatCommand {
    public var group: GroupTarget
    public var target: ChatTarget

    public init(_ group: GroupTarget, to target: ChatTarget) {
        self.group = group
        self.target = target
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/share chat", .signedGroupName(\.group), .chat(\.target), make: { Self($0, to: $1) }))

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        try await message(core).utterances(on: core)
    }

    public func effect(of response: MessagesSent) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> MessagesSent {
        try await message(core).perform(on: core)
    }

    private func message(_ core: isolated LocalCore) throws -> SendMessages {
        let group = try core.lookup.group(group)
        var target = target, chat = try core.lookup.chat(target)
        if let channel = chat.group, channel.isChannel {
            target = .channel(channel.id)
            chat = try core.lookup.chat(target)
        }
        let content = try core.groups.card(of: group, for: chat, isFromGroup: chat.group?.isChannel == true)
        return SendMessages(target, [ComposedMessage(content)])
    }
}

extension Groups {
    /// The content of a message that leads to a channel, for one chat.
    fileprivate func card(of channel: Group, for target: Chat, isFromGroup: Bool) throws -> MessageContent {
        guard let link = channel.profile.publicGroup?.link else { throw ChatError.channel(.noPublicGroup) }
        var fields = JSONObject()
        if let signature = try ownerSignature(of: channel, link, in: target, isFromGroup: isFromGroup) {
            fields["ownerSig"] = .object(signature)
        }
        let card: JSONObject = [
            "type": "group", "connLink": .string(link), "groupProfile": channel.profile.json,
        ]
        return MessageContent(link, kind: .chat(link: card), otherFields: fields)
    }

    /// The proof that the user owns the link of a channel, for one chat; nil if the user does not, or for a chat to which nothing
    /// can be bound.
    fileprivate func ownerSignature(
        of channel: Group, _ link: String, in target: Chat, isFromGroup: Bool
    ) throws -> JSONObject? {
        guard channel.channel?.isRoot == true, channel.membership.role == .owner,
            let key = try store.memberKey(of: channel.id), let binding = try binding(to: target, isFromGroup),
            let short = try? ShortLink(text: link).restored(from: PresetServers.all)
        else { return nil }
        let signature = key.sign(binding + short.encoded)
        return [
            "ownerId": .string(Base64URL.encode(channel.membership.memberID.bytes)),
            "chatBinding": .string(Base64URL.encode(binding)), "ownerSig": .string(Base64URL.encode(signature)),
        ]
    }

    private func binding(to target: Chat, _ isFromGroup: Bool) throws -> Bytes? {
        switch target {
        case .direct(let contact):
            guard let id = contact.connection?.id, let hash = try agent.securityHash(of: id) else { return nil }
            return [ElementSignature.Binding.direct.rawValue] + hash
        case .group(let group):
            guard let id = group.channel?.publicID else { return nil }
            if isFromGroup {
                var writer = ByteWriter()
                writer.shortBytes(id)
                return [ElementSignature.Binding.channel.rawValue] + writer.bytes
            }
            return [ElementSignature.Binding.group.rawValue]
                + ElementSignature.groupBinding(id, group.membership.memberID)
        case .notes: return nil
        }
    }
}

/// The content of a message that the caller sends.
public struct SharedContent: SimpleResponse {
    public let profile: OwnProfile
    public let content: MessageContent

    public static let type = "chatMsgContent"

    init(_ profile: OwnProfile, _ content: MessageContent) {
        self.profile = profile
        self.content = content
    }

    public var fields: JSONObject { ["user": profile.json, "msgContent": content.json] }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("msgContent"))
    }
}
