import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// Reading the links of channels from time to time: subscribers find new relays and leave removed ones, and relays find out whether
/// owners still list them.
extension Groups {
    /// The time between two readings of a link.
    static let checkInterval = Duration.seconds(900)
    /// After how long a relay that no link lists lets the members go.
    static let inactivity = Duration.seconds(86_400)

    /// Reads the links of all channels again and again, as long as the core is open.
    func scheduleLinkChecks() {
        _ = context.after(Groups.checkInterval) { [weak self] in
            guard let self, context.connectedAgent != nil else { return }
            scheduleLinkChecks()
            try leaveInactiveChannels()
            try tellCapabilities()
            let channels = try store.profiles().flatMap { try store.groups(of: $0.id) }.filter { group in
                guard group.isChannel, !group.membership.status.isGone else { return false }
                return group.isServedByUser ? group.serves : group.membership.role != .owner
            }
            try checkLinks(of: channels.map(\.id)[...])
        }
    }

    /// Reads the links of channels, one after the other.
    private func checkLinks(of ids: ArraySlice<GroupID>) throws {
        guard let id = ids.first, context.connectedAgent != nil else { return }
        let rest = ids.dropFirst()
        guard let group = try store.group(id), let text = group.profile.publicGroup?.link,
            let link = Groups.channelLink(text)
        else { return try checkLinks(of: rest) }
        try agent.open(link, group.profileID) { [weak self] result in
            guard let self, context.failure == nil else { return }
            if case .success(let opened) = result { context.attempt { try self.check(opened, of: id) } }
            // The loop does other things in between.
            _ = context.after(.zero) { [weak self] in try self?.checkLinks(of: rest) }
        }
    }

    private func check(_ opened: OpenedLink, of id: GroupID) throws {
        guard let group = try store.group(id), let channel = try? ChannelLink(opened),
            channel.publicID == group.channel?.publicID
        else { return }
        guard group.isServedByUser else { return try follow(channel, of: group) }
        guard group.serves, let own = try store.groupLink(of: id)?.link.short.flatMap({ try? ShortLink(text: $0) })
        else { return }
        let isListed = channel.relays.contains { $0.keptText == own.keptText }
        try store.transaction {
            if isListed {
                try store.setOwnStatus(.active, id)
            } else if group.channel?.ownStatus == .active {
                try store.setOwnStatus(.inactive, id)
                try store.setSessionValue(Groups.inactiveKey(id), "\(now.milliseconds)")
            }
        }
    }

    /// Lets the members of channels go whose owners have not listed the user for long.
    private func leaveInactiveChannels() throws {
        guard let relay = try store.chatRelay(), let profile = try store.profile(relay) else { return }
        for group in try store.groups(of: relay) where group.channel?.ownStatus == .inactive {
            guard let text = try store.sessionValue(Groups.inactiveKey(group.id)), let time = Int64(text),
                Timestamp(milliseconds: time) + Groups.inactivity <= now
            else { continue }
            try commit(profile) { consequences in
                try store.removeRelaying(of: group.id)
                for id in try store.connections(of: group.id) { try discard(id, &consequences) }
                try store.setSessionValue(Groups.inactiveKey(group.id), nil)
            }
        }
    }

    private static func inactiveKey(_ id: GroupID) -> String { "relay-inactive-\(id.number)" }
}
