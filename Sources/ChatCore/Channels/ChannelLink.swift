import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore

/// What is behind the link of a channel, checked (network-7.md 4.2, 4.3, 9.2).
struct ChannelLink {
    let content: GroupLinkContent
    let publicID: Bytes
    /// The DER form of the root key.
    let rootKey: Bytes
    let owners: [LinkOwner]
    let relays: [ShortLink]

    /// Reads the records behind a link.
    ///
    /// - Throws: ``ChatError/invalidLink`` unless they are those of a channel with an id that fits to its profile.
    init(_ opened: OpenedLink) throws(ChatError) {
        guard case .address(_, let record) = opened.user, !record.isDirect,
            let content = try? GroupLinkContent(linkContent: record.content),
            let publicGroup = content.profile.publicGroup, let id = opened.fixed.entityID, id == publicGroup.id
        else { throw .invalidLink }
        self.content = content
        publicID = id
        rootKey = opened.fixed.rootKey.der
        owners = record.owners
        relays = record.relays
    }
}

/// What is behind the link of a relay for one channel, checked (network-7.md 9.5).
struct ChannelRelayLink {
    let memberID: MemberID
    /// The DER form of the key of the relay as a member.
    let key: Bytes
    let profile: Profile
    /// The full link.
    let request: ConnectionRequest

    /// Reads the records behind a link.
    ///
    /// - Throws: ``ChatError/invalidLink`` unless they are those of a relay.
    init(_ opened: OpenedLink) throws(ChatError) {
        guard case .address(_, let record) = opened.user, record.isDirect,
            let content = try? RelayLinkContent(linkContent: record.content),
            let id = opened.fixed.entityID.flatMap({ MemberID($0) })
        else { throw .invalidLink }
        memberID = id
        key = opened.fixed.rootKey.der
        profile = content.profile
        request = opened.request
    }
}

extension ShortLink {
    /// The text in which the links of relays are kept and compared.
    var keptText: String {
        let complete = restored(from: PresetServers.all)
        return ShortLink(target: complete.target, server: complete.server, key: complete.key)
            .shortened(for: PresetServers.all).description
    }
}

extension Group {
    /// True for the link of this channel.
    func isLink(_ link: PastedLink) -> Bool {
        guard isChannel, case .short(let given) = link.link else { return false }
        if let prepared, link.isOne(of: prepared.link) { return true }
        guard let text = profile.publicGroup?.link, case .short(let own)? = try? ConnectionLink(text: text) else {
            return false
        }
        return own.keptText == given.keptText
    }
}
