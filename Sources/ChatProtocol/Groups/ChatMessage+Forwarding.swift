import JSONCoding

/// Forwarding by the host of members that are not connected yet (chat.md 4.5).
extension ChatMessage.Event {
    /// True if a host forwards the event, so that its sender need not store it for a member without a connection.
    public var isForwardable: Bool {
        switch self {
        case .message(let container): !container.hasInlineFile
        case .fileDescription, .update, .deletion, .reaction, .fileCancelled, .profile: true
        case .group(let event, _): event.isForwardable
        case .contactRequest, .ok, .contactDeleted, .call, .probe, .other: false
        }
    }

    /// Returns true if a host forwards the event to a member, provided that it is forwardable. A restriction is not
    /// sent to the member that it concerns, and a report only to moderators.
    public func isForwarded(to member: MemberID, _ role: GroupRole) -> Bool {
        switch self {
        case .group(.restrictionChanged(let id, _), _): return id != member
        case .message(let container):
            if case .report = container.content.kind { return role >= .moderator }
            return true
        default: return true
        }
    }
}

extension GroupEvent {
    fileprivate var isForwardable: Bool {
        switch self {
        case .memberJoined, .roleChanged, .restrictionChanged, .memberRemoved, .memberLeft, .groupDeleted,
            .profileChanged, .preferencesChanged, .relayAdded, .roster:
            true
        case .invitation, .invitationAccepted, .linkInvitation, .linkRejection, .hostProfile, .admission,
            .memberIntroduced, .introInvitation, .introForwarded, .memberPresented, .memberConnected, .allConnected,
            .contactInvitation, .forwarded, .channelJoin, .relayInvitation, .relayAccepted, .relayRejected, .relayTest,
            .relayCapabilities, .rosterAcknowledged, .rosterRequested:
            false
        }
    }
}

extension MessageContainer {
    /// True if the file follows in messages of the same connection, which a host does not forward.
    fileprivate var hasInlineFile: Bool {
        switch otherFields["file"]?.object?["fileInline"] {
        case nil, .null: false
        default: true
        }
    }
}
