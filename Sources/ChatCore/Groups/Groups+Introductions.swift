import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding

/// Introductions: members that do not know each other connect through the one that knows both (chat.md 4.4).
extension Groups {
    // MARK: - As host

    /// Introduces a newcomer that may take part to all, and tells it what was said before.
    func admit(_ newcomer: GroupMember, to group: Group, _ consequences: inout GroupConsequences) throws {
        if group.isServedByUser { return try admitToChannel(newcomer, group, &consequences) }
        try introduce(newcomer, in: group, &consequences)
        guard group.business?.customerID != newcomer.memberID else { return }
        let hasWelcome = try newcomer.connection.flatMap { try store.welcomeID(of: $0.id) } != nil
        consequences.messages += try enqueueHistory(for: newcomer, of: group, withWelcome: !hasWelcome)
    }

    /// Introduces a newcomer to the members that it was not introduced to yet.
    func introduce(
        _ newcomer: GroupMember, in group: Group, onlyToModerators: Bool = false,
        _ consequences: inout GroupConsequences
    ) throws {
        let others = try store.members(of: group.id).filter { other in
            try other.id != newcomer.id && other.status.isCurrent && (!onlyToModerators || other.role >= .moderator)
                && store.introduction(of: newcomer.id, to: other.id) == nil
                && store.introduction(of: other.id, to: newcomer.id) == nil
        }
        guard !others.isEmpty else { return }
        let scope = onlyToModerators ? MessageScope.support(newcomer.memberID) : nil
        consequences.messages += try conversations.enqueue(
            .group(.memberJoined(Groups.info(newcomer), scope: scope)), to: others, of: group)
        // Who can let others in comes first, then those with pictures, and otherwise the order says nothing.
        var numbers = RandomNumbers(context.environment.random)
        let shuffled = others.shuffled(using: &numbers)
        let ordered =
            shuffled.filter { $0.role >= .admin } + shuffled.filter { $0.role < .admin && $0.profile.image != nil }
            + shuffled.filter { $0.role < .admin && $0.profile.image == nil }
        let introductions = ordered.map { other in
            ChatMessage(
                id: conversations.newSharedID(),
                event: .group(
                    .memberIntroduced(
                        Groups.info(other), other.isBlockedForAll ? MemberRestrictions(.blocked) : nil)))
        }
        consequences.messages += try conversations.enqueue(introductions, to: [newcomer], of: group)
        for other in ordered { try store.insertIntroduction(of: newcomer.id, to: other.id, at: now) }
    }

    /// A member as others are told of it.
    static func info(_ member: GroupMember) -> MemberInfo {
        MemberInfo(member.memberID, member.role, versions: member.versions, profile: presentation(of: member))
    }

    /// The profile of a member for others. What a contact says about itself is not all for members, and an introduction must
    /// fit into a message.
    private static func presentation(of member: GroupMember) -> Profile {
        let presented = member.profile.presentedByMember()
        guard member.contactID == nil, presented.json.encoded.count <= ChatLimit.postQuantumMessage else {
            return member.profile.forMembers()
        }
        return presented
    }

    /// A newcomer made a link for a member that it was introduced to.
    func recordLink(
        _ id: MemberID, _ links: IntroInvitation, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        guard let existing = try store.member(id, in: message.group.id), existing.status.isCurrent,
            let introduction = try store.introduction(of: message.author.id, to: existing.id)
        else { throw GroupRefusal.inviter }
        // One link is passed on.
        guard introduction.status == .sent else { return }
        try store.update(introduction, .forwarded, at: now)
        consequences.messages += try conversations.enqueue(
            .group(.introForwarded(Groups.info(message.author), IntroInvitation(groupLink: links.groupLink))),
            to: [existing], of: message.group)
    }

    /// A member says that it is connected with another.
    func recordConnected(
        _ id: MemberID, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        guard let other = try store.member(id, in: message.group.id) else { throw GroupRefusal.unknownMember }
        for (newcomer, existing) in [(message.author.id, other.id), (other.id, message.author.id)] {
            guard let introduction = try store.introduction(of: newcomer, to: existing) else { continue }
            let status = introduction.status.connected(saidByNewcomer: newcomer == message.author.id)
            try store.update(introduction, status, at: now)
        }
    }

    // MARK: - As newcomer

    /// The host introduces a member that was in the group before.
    func recordIntroduction(
        _ info: MemberInfo, _ restrictions: MemberRestrictions?, _ message: MemberMessage,
        _ consequences: inout GroupConsequences
    ) throws {
        if message.group.isChannel {
            return try recordChannelMember(info, as: .pre, .introduced, message, &consequences)
        }
        let versions = info.versions ?? ChatVersion.initial
        let known = try store.member(info.id, in: message.group.id)
        guard try known != nil || hasRoom(message.group) else { throw GroupRefusal.tooManyMembers }
        let id = try insert(info, as: .pre, .introduced, invitedBy: message.author, known, message.profile)
        if restrictions?.isBlocked == true { try store.setBlockedForAll(true, id, at: now) }
        // Older clients connect in another way, which no client uses any more.
        guard versions.max >= Groups.leastIntroduced else { return }
        _ = try insertInvitation(for: id, of: message.group, versions: versions)
        consequences.actions.append { [weak self] in try self?.makeLink(for: id) }
    }

    /// True if more members may be in a group. A host could introduce any number.
    ///
    /// - Parameter count: The most members; nil for the limit of all groups.
    func hasRoom(_ group: Group, atMost count: Int? = nil) throws -> Bool {
        try !store.hasMembers(count ?? Groups.mostMembers, in: group.id)
    }

    /// The most members of a group that others may tell of.
    static let mostMembers = 10_000

    /// The lowest version of members that are connected by a link of the newcomer.
    private static let leastIntroduced: UInt16 = 2

    /// Makes the link for a member that the host introduced, and sends it to the host. What was interrupted is repeated at the next
    /// start: other clients leave the two members unconnected then.
    func makeLink(for id: GroupMemberID) throws {
        guard let member = try store.member(id), member.status == .introduced, let connection = member.connection,
            connection.status == .new, !madeLinks.contains(connection.id), madeLinks.count < Groups.mostLinks
        else { return }
        if try agent.contains(connection.id) {
            if let pair = try agent.links(of: connection.id) { try answer(id, pair) }
            return
        }
        guard let server = context.attempt({ try servers.server(for: member.profileID) }) else { return }
        madeLinks.insert(connection.id)
        let agent = try agent
        agent.invite(
            connection.id, member.profileID, server: server, showing: Groups.emptyContent, postQuantum: .off
        ) { [weak self, weak agent] result in
            guard let self else { return }
            madeLinks.remove(connection.id)
            switch result {
            case .success(let pair):
                context.attempt { try self.answer(id, pair) }
                // The next of many.
                if madeLinks.count == Groups.mostLinks - 1 { context.attempt { try self.makeLinks() } }
            case .failure:
                _ = context.after(Groups.linkDelay) { [weak self] in try self?.makeLink(for: id) }
            }
            agent?.reconsider()
        }
    }

    /// Makes links for members that were introduced and have none, some at a time.
    func makeLinks() throws {
        for id in try store.introducedMembers(2 * Groups.mostLinks) { try makeLink(for: id) }
    }

    /// The most links that are made at a time.
    private static let mostLinks = 16

    /// What the short link of a connection with a member shows: nothing.
    static let emptyContent = Bytes("{}".utf8)
    /// After how long a link is tried again that could not be made.
    private static let linkDelay = Duration.seconds(30)

    /// Sends the host the link for a member.
    private func answer(_ id: GroupMemberID, _ pair: LinkPair) throws {
        guard let member = try store.member(id), member.status == .introduced, let connection = member.connection,
            case .member(let hostID) = member.inviter, let host = try store.member(hostID),
            let group = try store.group(member.groupID)
        else { return }
        let numbers = try store.transaction {
            try store.update(connection.id, link: LinkText(full: pair.full.description, short: nil))
            try store.update(id, status: .introInvited, at: now)
            return try conversations.enqueue(
                .group(
                    .introInvitation(member.memberID, IntroInvitation(groupLink: pair.full.description))),
                to: [host], of: group)
        }
        for number in numbers { try conversations.handOver(number) }
    }

    // MARK: - As member that was there before

    /// A member came.
    func recordNewMember(
        _ info: MemberInfo, _ scope: MessageScope?, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        if message.group.isChannel {
            return try recordChannelMember(info, as: .post, .announced, message, &consequences)
        }
        let isPending = scope?.memberID == info.id
        guard scope == nil || isPending else { throw GroupRefusal.scope }
        let known = try store.member(info.id, in: message.group.id)
        if let known, known.status.isPending {
            // Who was under review is let in.
            if scope == nil { try store.update(known.id, status: .announced, at: now) }
            return
        }
        guard try known != nil || hasRoom(message.group) else { throw GroupRefusal.tooManyMembers }
        let id = try insert(
            info, as: .post, isPending ? .pendingReview : .announced, invitedBy: message.author, known,
            message.profile)
        let member = try lookup.member(id)
        if isPending {
            try note(.memberPending, by: member, isUnread: true, support: member, &consequences.items)
        } else {
            try note(
                .memberAdded(GroupNotice.Subject(member)), by: message.author, id: message.id, at: message.time,
                &consequences.items)
        }
        consequences.events.append(
            MemberConnectingEvent(
                profile: message.profile, group: try lookup.group(message.group.id), host: message.author,
                member: try lookup.member(id)))
    }

    /// The host passes on the link of a newcomer.
    func recordForwardedLink(
        _ info: MemberInfo, _ links: IntroInvitation, _ message: MemberMessage,
        _ consequences: inout GroupConsequences
    ) throws {
        guard try isForeign(links.groupLink, to: message.profile) else { throw GroupRefusal.subject }
        let known = try store.member(info.id, in: message.group.id)
        if let known, known.status != .unknown {
            guard !known.status.isGone, known.category != .host, known.category != .invitee,
                known.connection == nil || known.connection?.status == .failed
            else { return }
        } else if try known == nil && !hasRoom(message.group) {
            throw GroupRefusal.tooManyMembers
        }
        let id =
            if let known, known.status != .unknown { known.id } else {
                try insert(info, as: .post, .announced, invitedBy: message.author, known, message.profile)
            }
        let connection = try insertConnection(
            with: id, through: links.groupLink, of: message.group, versions: info.versions)
        consequences.actions.append { [weak self] in try self?.join(connection) }
    }

    /// True for the text of an invitation that this side did not make.
    func isForeign(_ link: String, to profile: OwnProfile) throws -> Bool {
        guard case .full(.invitation)? = try? ConnectionLink(text: link) else { return false }
        return try store.connection(through: link, of: profile.id)?.isInitiated != true
    }

    // MARK: - Members

    /// Inserts a member that another told of, or completes one of which nothing but its id was known.
    private func insert(
        _ info: MemberInfo, as category: GroupMember.Category, _ status: GroupMember.Status,
        invitedBy inviter: GroupMember, _ known: GroupMember?, _ profile: OwnProfile
    ) throws -> GroupMemberID {
        let id = try insertWithoutKey(info, as: category, status, invitedBy: inviter, known, profile)
        if let key = info.publicKey, (try? Ed25519.PublicKey(der: key)) != nil { try store.setPublicKey(key, of: id) }
        return id
    }

    private func insertWithoutKey(
        _ info: MemberInfo, as category: GroupMember.Category, _ status: GroupMember.Status,
        invitedBy inviter: GroupMember, _ known: GroupMember?, _ profile: OwnProfile
    ) throws -> GroupMemberID {
        let presented = info.profile.presentedByMember().withBoundedImage
        if let known {
            try store.update(known.id, category: category)
            try store.update(known.id, status: status, at: now)
            try store.update(known.id, role: info.role, at: now)
            try store.update(known.id, versions: info.versions ?? ChatVersion.initial)
            try store.setInviter(inviter.id, of: known.id)
            try rename(known, presented)
            return known.id
        }
        return try store.insertMember(
            ChatStore.NewMember(
                groupID: inviter.groupID, memberID: info.id, role: info.role, category: category, status: status,
                name: try takeName(for: presented, of: profile.id), profile: presented, contactID: nil,
                inviter: .member(inviter.id), versions: info.versions ?? ChatVersion.initial), at: now)
    }

    /// Takes a local name for somebody who calls itself something.
    func takeName(for presented: Profile, of id: ProfileID) throws -> String {
        let suggestion = Profile.DisplayName.localName(for: presented.displayName) ?? "member"
        let name = try store.freeName(suggestion, in: id)
        try store.take(name, in: id)
        return name
    }

    /// Gives a member another profile and, if it calls itself otherwise, another local name. The name of a contact stays.
    func rename(_ member: GroupMember, _ presented: Profile) throws {
        var name = member.name
        if member.contactID == nil, presented.displayName != member.profile.displayName {
            try store.free(member.name, in: member.profileID)
            name = try takeName(for: presented, of: member.profileID)
        }
        try store.update(member.id, profile: presented, name: name, at: now)
    }
}
