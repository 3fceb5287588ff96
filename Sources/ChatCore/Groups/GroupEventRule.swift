package import ChatProtocol

/// The kinds of events in a group, by their names in messages.
package enum GroupEventKind: String, CaseIterable, Sendable {
    // What belongs to a message.
    case message = "x.msg.new"
    case update = "x.msg.update"
    case deletion = "x.msg.del"
    case reaction = "x.msg.react"
    case fileDescription = "x.msg.file.descr"
    case fileCancelled = "x.file.cancel"
    // What members say of themselves.
    case profile = "x.info"
    case probe = "x.info.probe"
    case probeCheck = "x.info.probe.check"
    case probeConfirmation = "x.info.probe.ok"
    case hostProfile = "x.grp.link.mem"
    case memberLeft = "x.grp.leave"
    case contactInvitation = "x.grp.direct.inv"
    // Introductions.
    case memberJoined = "x.grp.mem.new"
    case memberIntroduced = "x.grp.mem.intro"
    case introInvitation = "x.grp.mem.inv"
    case introForwarded = "x.grp.mem.fwd"
    case memberConnected = "x.grp.mem.con"
    // What is done with members.
    case admission = "x.grp.link.acpt"
    case roleChanged = "x.grp.mem.role"
    case restrictionChanged = "x.grp.mem.restrict"
    case memberRemoved = "x.grp.mem.del"
    // What is done with the group.
    case profileChanged = "x.grp.info"
    case preferencesChanged = "x.grp.prefs"
    case groupDeleted = "x.grp.del"
    case forwarded = "x.grp.msg.forward"
    // What only channels have.
    case relayAdded = "x.grp.relay.new"
    case relayCapabilities = "x.grp.relay.cap"
    case roster = "x.grp.roster"
    case rosterAcknowledged = "x.grp.roster.ack"
    case rosterRequested = "x.grp.roster.request"
    // What no member sends as a message: steps of handshakes, and events of contacts.
    case invitation = "x.grp.inv"
    case invitationAccepted = "x.grp.acpt"
    case linkInvitation = "x.grp.link.inv"
    case linkRejection = "x.grp.link.reject"
    case memberPresented = "x.grp.mem.info"
    case allConnected = "x.grp.mem.con.all"
    case contactRequest = "x.contact"
    case ok = "x.ok"
    case contactDeleted = "x.direct.del"
    case channelJoin = "x.member"
    case relayInvitation = "x.grp.relay.inv"
    case relayAccepted = "x.grp.relay.acpt"
    case relayRejected = "x.grp.relay.reject"
    case relayTest = "x.grp.relay.test"

    /// The kind of an event; nil for calls, and for events without a type here.
    package init?(_ event: ChatMessage.Event) {
        self.init(rawValue: event.name)
    }
}

/// What decides whether an event of a member is accepted.
package struct GroupEventFacts: Hashable, Sendable {
    /// A member of the group.
    package struct Member: Hashable, Sendable {
        package var role: GroupRole
        package var category: GroupMember.Category
        package var status: GroupMember.Status

        package init(_ role: GroupRole, _ category: GroupMember.Category, _ status: GroupMember.Status) {
            (self.role, self.category, self.status) = (role, category, status)
        }
    }

    /// The member that an event is about.
    package enum Subject: Hashable, Sendable {
        /// The event names no member.
        case none
        case user
        case author
        case member(Member)
        /// No member with the named id is known.
        case unknown
    }

    /// The conversation that an event names.
    package enum Scope: Hashable, Sendable {
        /// That of all members.
        case group
        /// The support chat of the user.
        case user
        /// The support chat of the author.
        case author
        /// The support chat of another member.
        case member
        /// The support chat of a member that is not known.
        case unknown
    }

    /// Why nothing more is to come from a member.
    package enum Block: CaseIterable, Sendable {
        /// The user hides what the member writes.
        case hidden
        /// A moderator blocked the member for all.
        case forAll
        /// The user blocked the contact that the member is.
        case contact
    }

    /// The author, as it is known here.
    package var author: Member
    /// The user.
    package var own: Member
    package var subject = Subject.none
    package var scope = Scope.group
    /// The role that the event gives its subject.
    package var givenRole: GroupRole?
    /// True if the event came through another member.
    package var isForwarded = false
    /// True in a channel.
    package var isChannel = false
    /// True if the key of the author verifies the event.
    package var isVerified = false
    /// True if the author has a direct connection that is ready, and has written through it.
    package var isConnected = false
    package var blocks: Set<Block> = []
    /// True if the author invited the subject, or if nothing but the id of the subject is known.
    package var isInviterOfSubject = false
    /// True if a member with a role above that of the author is connected.
    package var knowsHigherRole = false

    package init(author: Member, own: Member) {
        (self.author, self.own) = (author, own)
    }
}

/// The rights of members at one kind of events: who may send it, about whom, by which way, and who else gets it (chat.md 4.1 to
/// 4.6, network-7.md 7.4 and 12).
///
/// Rights of members stand nowhere else, and are asked before anything of an event is kept. Preferences of the group are no
/// rights of members: they are asked where the content is read.
package struct GroupEventRule: Sendable {
    /// The role that the author needs.
    package enum Role: Hashable, Sendable {
        /// Any role, also an unknown one.
        case any
        case least(GroupRole)
        /// A role for events about others. Any member may do it to itself.
        case leastForOthers(GroupRole)
        /// A role, and no higher one.
        case exactly(GroupRole)
        /// The role that the conversation demands in which the author writes.
        case ofScope
    }

    /// The ways by which an event may come.
    package enum Forwarding: String, Sendable {
        /// From its author only.
        case never
        /// Also through an admin, until the author has written through a direct connection. From then on a forwarded copy
        /// would only let the admin act in the name of the author.
        case untilConnected = "until connected"
        /// Also through an admin, which is shown with the message, and after the author has left.
        case always
    }

    /// The members to which an admin forwards an event of a member that they are not connected with.
    package enum Audience: String, Sendable {
        case none
        case all
        /// The conversation that the event names.
        case namedScope = "named scope"
        /// The conversation of the message to which the event belongs, whatever the event names.
        case scopeOfMessage = "scope of message"
        /// All members, or the support chat of the subject while the subject waits to be let in.
        case scopeOfSubject = "scope of subject"
    }

    /// What the author has to be.
    package enum Standing: String, Sendable {
        /// A member, or a newcomer that waits to be let in.
        case present
        case current
    }

    /// The members that an event may be about.
    package enum Subjects: String, Sendable {
        /// The event is about no member.
        case any
        /// A known member, the user or the author.
        case known
        /// A known member, or the author.
        case members
        /// A known member that is not the author.
        case others
        /// Neither the user nor the author.
        case notSelf = "not self"
        /// The same, and no current member.
        case strangers
        /// The same, or a member that waits for admission.
        case newcomers
        /// Anybody but the user: the authors of forwarded messages.
        case authors
    }

    /// False if no member sends the event as a message.
    package var isMessage = true
    package var role = Role.any
    /// True if the role of the author must reach that of the subject.
    package var coversSubject = false
    /// True if the role of the author must reach the role that the event gives.
    package var coversGivenRole = false
    package var categories: Set<GroupMember.Category> = [.invitee, .host, .pre, .post]
    package var standing = Standing.present
    /// The lowest role of the user; nil for any.
    package var leastOwn: GroupRole?
    package var subjects = Subjects.any
    /// True if the author has to be who invited the subject.
    package var isForInviter = false
    package var forwarding = Forwarding.never
    package var audience = Audience.none
    /// The blocks that stop the event. Messages of blocked members are kept hidden, because the user may show them again.
    package var blocks: Set<GroupEventFacts.Block> = []
    /// True if groups with relays demand a signature (network-7.md 7.3). In other groups a signature gives no right: a wrong one is
    /// refused before the rule is asked.
    package var isSignedInChannels = false
    /// True if an event of a channel that names no member is about a post of the channel.
    package var isAboutPosts = false
    /// The role that the author needs in a channel; nil where no other one is needed.
    package var leastInChannels: GroupRole?
    /// True if groups without relays have no such event. They ignore it.
    package var isOfChannels = false
}

extension GroupEventRule {
    private static let allBlocks = Set(GroupEventFacts.Block.allCases)

    /// Returns the rule of a kind of events.
    package static func rule(for kind: GroupEventKind) -> GroupEventRule {
        var rule = GroupEventRule()
        switch kind {
        case .message:
            rule.role = .ofScope
            (rule.forwarding, rule.audience) = (.always, .namedScope)
        case .update:
            rule.role = .ofScope
            (rule.forwarding, rule.audience) = (.always, .scopeOfMessage)
            rule.blocks = [.forAll]
        case .deletion:
            (rule.role, rule.coversSubject, rule.subjects) = (.leastForOthers(.moderator), true, .known)
            (rule.forwarding, rule.audience) = (.always, .scopeOfMessage)
        case .reaction:
            (rule.subjects, rule.isAboutPosts) = (.known, true)
            (rule.forwarding, rule.audience) = (.always, .scopeOfMessage)
            // Those that a moderator blocked can react, as in the official client.
            rule.blocks = [.hidden]
        case .fileDescription, .fileCancelled:
            (rule.forwarding, rule.audience) = (.always, .scopeOfMessage)
        case .profile:
            (rule.forwarding, rule.audience) = (.untilConnected, .scopeOfSubject)
            (rule.blocks, rule.isSignedInChannels) = (allBlocks, true)
        case .probe, .probeCheck, .probeConfirmation:
            rule.blocks = allBlocks
        case .hostProfile:
            (rule.categories, rule.standing, rule.blocks) = ([.host], .current, allBlocks)
        case .memberLeft:
            (rule.forwarding, rule.audience) = (.untilConnected, .scopeOfSubject)
            rule.isSignedInChannels = true
        case .contactInvitation:
            (rule.standing, rule.blocks) = (.current, allBlocks)
        case .memberJoined:
            (rule.role, rule.coversSubject, rule.coversGivenRole) = (.least(.admin), true, true)
            (rule.standing, rule.subjects) = (.current, .newcomers)
            (rule.forwarding, rule.audience) = (.untilConnected, .namedScope)
        case .memberIntroduced:
            // Those whom the host introduces may have higher roles, see `introduces`.
            (rule.role, rule.categories, rule.standing) = (.least(.admin), [.host], .current)
            rule.subjects = .strangers
        case .introInvitation:
            (rule.categories, rule.leastOwn, rule.subjects) = ([.invitee], .admin, .others)
        case .introForwarded:
            (rule.role, rule.coversSubject, rule.coversGivenRole) = (.least(.admin), true, true)
            (rule.standing, rule.subjects, rule.isForInviter) = (.current, .notSelf, true)
        case .memberConnected:
            rule.subjects = .others
        case .admission:
            (rule.role, rule.coversGivenRole) = (.least(.moderator), true)
            (rule.standing, rule.subjects) = (.current, .known)
        case .roleChanged:
            (rule.role, rule.coversSubject, rule.coversGivenRole) = (.least(.admin), true, true)
            (rule.standing, rule.subjects) = (.current, .known)
            (rule.forwarding, rule.audience, rule.isSignedInChannels) = (.untilConnected, .scopeOfSubject, true)
            rule.leastInChannels = .owner
        case .restrictionChanged:
            (rule.role, rule.coversSubject) = (.least(.moderator), true)
            (rule.standing, rule.subjects) = (.current, .members)
            (rule.forwarding, rule.audience, rule.isSignedInChannels) = (.untilConnected, .scopeOfSubject, true)
        case .memberRemoved:
            (rule.role, rule.coversSubject) = (.least(.admin), true)
            (rule.standing, rule.subjects) = (.current, .known)
            (rule.forwarding, rule.audience, rule.isSignedInChannels) = (.untilConnected, .scopeOfSubject, true)
        case .profileChanged, .preferencesChanged, .groupDeleted:
            (rule.role, rule.standing) = (.least(.owner), .current)
            (rule.forwarding, rule.audience, rule.isSignedInChannels) = (.untilConnected, .all, true)
        case .forwarded:
            (rule.role, rule.standing) = (.least(.admin), .current)
            (rule.subjects, rule.isForInviter) = (.authors, true)
        case .invitation:
            // A contact sends it, under the role that it has in the group.
            (rule.isMessage, rule.role, rule.coversGivenRole) = (false, .least(.admin), true)
        case .invitationAccepted, .linkInvitation, .linkRejection, .memberPresented, .allConnected, .contactRequest,
            .ok, .contactDeleted, .channelJoin, .relayInvitation, .relayAccepted, .relayRejected, .relayTest:
            rule.isMessage = false
        case .relayAdded, .roster:
            (rule.role, rule.standing, rule.isOfChannels) = (.least(.owner), .current, true)
            (rule.forwarding, rule.audience, rule.isSignedInChannels) = (.untilConnected, .all, true)
        case .relayCapabilities, .rosterAcknowledged:
            (rule.role, rule.standing, rule.isOfChannels) = (.exactly(.relay), .current, true)
        case .rosterRequested:
            (rule.standing, rule.isOfChannels) = (.current, true)
        }
        return rule
    }

    /// Returns true if channels demand a signature of an event.
    static func isSigned(_ event: ChatMessage.Event) -> Bool {
        GroupEventKind(event).map { rule(for: $0).isSignedInChannels } ?? false
    }

    /// Returns why an event of a member is refused; nil if it is accepted.
    package static func refusal(of kind: GroupEventKind, _ facts: GroupEventFacts) -> GroupRefusal? {
        rule(for: kind).refusal(of: facts)
    }

    /// Returns why an event with this rule is refused; nil if it is accepted.
    package func refusal(of facts: GroupEventFacts) -> GroupRefusal? {
        guard isMessage else { return .unexpected }
        guard facts.isChannel || !isOfChannels else { return .noChannel }
        // SECURITY: a group tells nothing to a user that is not in it, also while the last messages arrive.
        guard facts.own.status.isCurrent || facts.own.status.isPending else { return .notMember }
        return refusal(ofWayIn: facts) ?? refusal(ofStandingIn: facts) ?? refusal(ofRolesIn: facts)
            ?? refusal(ofSubjectIn: facts) ?? (blocks.isDisjoint(with: facts.blocks) ? nil : .blocked)
    }

    /// Returns true if a role suffices to invite a contact to a group as another role.
    static func mayInvite(_ host: GroupRole, as role: GroupRole) -> Bool {
        let rule = rule(for: .invitation)
        var facts = GroupEventFacts(
            author: GroupEventFacts.Member(host, .host, .connected), own: GroupEventFacts.Member(role, .user, .invited))
        facts.givenRole = role
        return rule.refusal(ofRolesIn: facts) == nil
    }

    // MARK: - Parts

    private func refusal(ofWayIn facts: GroupEventFacts) -> GroupRefusal? {
        guard facts.isForwarded else { return nil }
        switch forwarding {
        case .never: return .forwardedEvent
        // What the author of a channel signed is the author's, whatever way it takes.
        case .untilConnected: return facts.isConnected && !(facts.isChannel && facts.isVerified) ? .connected : nil
        case .always: return nil
        }
    }

    private func refusal(ofStandingIn facts: GroupEventFacts) -> GroupRefusal? {
        let status = facts.author.status
        guard categories.contains(facts.author.category) else { return .category }
        if forwarding == .always, facts.isForwarded, status == .left { return nil }
        guard !status.isGone, status != .invited, standing == .present || status.isCurrent else {
            return subjects == .authors ? .forwarder : .gone
        }
        return nil
    }

    private func refusal(ofSubjectIn facts: GroupEventFacts) -> GroupRefusal? {
        switch (subjects, facts.subject) {
        case (.any, _): nil
        case (.known, .none) where isAboutPosts && facts.isChannel: nil
        // The owner tells the key of a member with its role (network-7.md 9.8).
        case (.known, .unknown) where facts.isChannel && facts.isVerified: nil
        case (.known, .user), (.known, .author), (.known, .member), (.members, .author), (.members, .member),
            (.others, .member), (.authors, .author):
            nil
        case (.known, _), (.members, .unknown), (.members, .none), (.others, .unknown), (.others, .none): .unknownMember
        // A batch of a relay has what several members sent.
        case (.authors, .user): facts.isChannel ? .ownCopy : .ownName
        case (.authors, .none): facts.isChannel ? nil : .channelPost
        case (.members, .user), (.others, .user), (.others, .author), (.notSelf, .user), (.notSelf, .author),
            (.notSelf, .none), (.strangers, .user), (.strangers, .author), (.strangers, .none), (.newcomers, .user),
            (.newcomers, .author), (.newcomers, .none):
            .subject
        case (.strangers, .member(let member)): member.status == .unknown ? nil : .knownMember
        case (.newcomers, .member(let member)):
            member.status == .unknown || member.status.isPending ? nil : .knownMember
        case (.notSelf, .member), (.authors, .member), (.notSelf, .unknown), (.authors, .unknown),
            (.strangers, .unknown),
            (.newcomers, .unknown):
            !isForInviter || facts.isInviterOfSubject || subjects == .authors && facts.author.category == .host
                ? nil : subjects == .authors ? .unexpectedForwarder : .inviter
        }
    }

    private func refusal(ofRolesIn facts: GroupEventFacts) -> GroupRefusal? {
        let role = facts.author.role
        if let leastOwn, facts.own.role < leastOwn { return .role }
        if facts.isChannel, let leastInChannels, role < leastInChannels { return .role }
        if let given = facts.givenRole {
            // SECURITY: only the first members that the host introduces may have roles above its own. Once one of them is
            // connected, the host cannot make itself another owner.
            let isAbove = given > role
            if isAbove, coversGivenRole || facts.knowsHigherRole { return .role }
        }
        switch self.role {
        case .any: return nil
        case .exactly(let exact): return role == exact ? nil : .role
        case .ofScope: return refusal(ofScopeIn: facts)
        case .leastForOthers where facts.subject == .author: return nil
        case .least(let least), .leastForOthers(let least):
            // An unknown role is lower than all others.
            guard role >= least else { return subjects == .authors ? .forwarder : .role }
        }
        guard coversSubject else { return nil }
        switch facts.subject {
        case .member(let subject): return role >= subject.role ? nil : .role
        case .user: return role >= facts.own.role ? nil : .role
        case .none, .author, .unknown: return nil
        }
    }

    /// Returns why the author may not write in a conversation.
    private func refusal(ofScopeIn facts: GroupEventFacts) -> GroupRefusal? {
        let role = facts.author.role
        // A relay passes on what it does not take part in.
        let seesAll = facts.own.role >= .moderator || facts.isChannel && facts.own.role == .relay
        switch facts.scope {
        case .group where facts.author.status.isPending || facts.own.status.isPending: return nil
        case .group: return role >= .author ? nil : .role
        case .user: return role >= .moderator ? nil : .role
        // The user must be a moderator to get it, and the author one unless it is the conversation of the author.
        case .author: return seesAll ? nil : .role
        case .member: return seesAll && role >= .moderator ? nil : .role
        case .unknown: return seesAll ? .unknownMember : .role
        }
    }
}
