import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Testing

@testable import ChatCore

/// The table of rights of members: each event from each role, category and state, directly and through an admin.
@Suite struct GroupEventRuleTests {
    typealias Facts = GroupEventFacts

    /// A right as chat.md 4 and network-7.md 7.4 and 12 say it, written down once more.
    struct Right {
        /// The lowest role, for events about others; nil for any.
        var least: GroupRole?
        var isFreeForSelf = false
        /// True if the author must have the role of the subject, or the role that it gives.
        var coversSubject = false, coversGiven = false
        var isHostOnly = false, isInviteeOnly = false
        /// True if newcomers that wait may do it too.
        var isOpenToPending = false
        /// True if only an admin records it.
        var isForAdmins = false
        /// Letters for whom it may be about: u user, a author, m member, n unknown, 0 nobody.
        var about = "uamn0"
        /// True if the subject must be new, or known by its id only.
        var isAboutStrangers = false, isAboutNewcomers = false
        var isForInviter = false, isForHostToo = false
        /// Letters for the ways: d direct, f through an admin, c the same while the author is connected, l after it left.
        var ways = "d"
        var blocks: Set<Facts.Block> = []
    }

    static let all = Set(Facts.Block.allCases)
    static let rights: [GroupEventKind: Right] = [
        .message: Right(isOpenToPending: true, ways: "dfcl"),
        .update: Right(isOpenToPending: true, ways: "dfcl", blocks: [.forAll]),
        .deletion: Right(
            least: .moderator, isFreeForSelf: true, coversSubject: true, isOpenToPending: true, about: "uam",
            ways: "dfcl"),
        .reaction: Right(isOpenToPending: true, about: "uam", ways: "dfcl", blocks: [.hidden]),
        .fileDescription: Right(isOpenToPending: true, ways: "dfcl"),
        .fileCancelled: Right(isOpenToPending: true, ways: "dfcl"),
        .profile: Right(isOpenToPending: true, ways: "df", blocks: all),
        .probe: Right(isOpenToPending: true, blocks: all),
        .probeCheck: Right(isOpenToPending: true, blocks: all),
        .probeConfirmation: Right(isOpenToPending: true, blocks: all),
        .hostProfile: Right(isHostOnly: true, blocks: all),
        .memberLeft: Right(isOpenToPending: true, ways: "df"),
        .contactInvitation: Right(blocks: all),
        .memberJoined: Right(
            least: .admin, coversSubject: true, coversGiven: true, about: "mn", isAboutNewcomers: true, ways: "df"),
        .memberIntroduced: Right(least: .admin, isHostOnly: true, about: "mn", isAboutStrangers: true),
        .introInvitation: Right(isInviteeOnly: true, isOpenToPending: true, isForAdmins: true, about: "m"),
        .introForwarded: Right(
            least: .admin, coversSubject: true, coversGiven: true, about: "mn", isForInviter: true),
        .memberConnected: Right(isOpenToPending: true, about: "m"),
        .admission: Right(least: .moderator, coversGiven: true, about: "uam"),
        .roleChanged: Right(least: .admin, coversSubject: true, coversGiven: true, about: "uam", ways: "df"),
        .restrictionChanged: Right(least: .moderator, coversSubject: true, about: "am", ways: "df"),
        .memberRemoved: Right(least: .admin, coversSubject: true, about: "uam", ways: "df"),
        .profileChanged: Right(least: .owner, ways: "df"),
        .preferencesChanged: Right(least: .owner, ways: "df"),
        .groupDeleted: Right(least: .owner, ways: "df"),
        .forwarded: Right(least: .admin, about: "amn", isForInviter: true, isForHostToo: true),
    ]

    /// What the rights say of an event.
    private func isAllowed(_ right: Right?, _ facts: Facts) -> Bool {
        guard let right else { return false }
        let author = facts.author
        let isInGroup = { (status: GroupMember.Status) in status >= .pendingApproval }
        guard isInGroup(facts.own.status) else { return false }
        let way: Character = facts.isForwarded ? facts.isConnected ? "c" : "f" : "d"
        guard right.ways.contains(way) else { return false }
        switch author.status {
        case .left: guard right.ways.contains("l"), facts.isForwarded else { return false }
        case .rejected, .removed, .deleted, .invited: return false
        case .unknown, .pendingApproval, .pendingReview: guard right.isOpenToPending else { return false }
        default: break
        }
        if right.isHostOnly, author.category != .host { return false }
        if right.isInviteeOnly, author.category != .invitee { return false }
        guard author.category != .user else { return false }
        if right.isForAdmins, facts.own.role < .admin { return false }
        if !right.blocks.isDisjoint(with: facts.blocks) { return false }
        let subject: (Character, GroupRole?, GroupMember.Status?)
        switch facts.subject {
        case .none: subject = ("0", nil, nil)
        case .user: subject = ("u", facts.own.role, nil)
        case .author: subject = ("a", nil, nil)
        case .member(let member): subject = ("m", member.role, member.status)
        case .unknown: subject = ("n", nil, nil)
        }
        guard right.about.contains(subject.0) else { return false }
        if let status = subject.2, right.isAboutStrangers, status != .unknown { return false }
        if let status = subject.2, right.isAboutNewcomers, status != .unknown, !status.isPending { return false }
        let isInviter = facts.isInviterOfSubject || right.isForHostToo && author.category == .host
        if right.isForInviter, "mn".contains(subject.0), !isInviter { return false }
        if let given = facts.givenRole {
            if right.coversGiven || facts.knowsHigherRole, author.role < given { return false }
        }
        if right.isFreeForSelf, subject.0 == "a" { return true }
        if let least = right.least, author.role < least { return false }
        if right.coversSubject, let role = subject.1, author.role < role { return false }
        return true
    }

    private static let roles = GroupRole.known + [GroupRole(rawValue: "king")]
    private static let categories: [GroupMember.Category] = [.invitee, .host, .pre, .post, .user]
    private static let subjects: [Facts.Subject] = [
        .none, .user, .author, .unknown, .member(Facts.Member(.member, .post, .connected)),
        .member(Facts.Member(.owner, .pre, .connected)), .member(Facts.Member(.author, .pre, .unknown)),
        .member(Facts.Member(.member, .post, .pendingReview)),
    ]

    @Test func each_event_from_each_member_is_accepted_or_refused_as_the_specification_says() {
        var count = 0, table: [String] = []
        for kind in GroupEventKind.allCases {
            let right = GroupEventRuleTests.rights[kind], rule = GroupEventRule.rule(for: kind)
            var accepted = (roles: Set<String>(), categories: Set<String>(), states: Set<String>(), ways: Set<String>())
            var acceptedCount = 0, kindCount = 0
            func walk(_ facts: Facts) {
                // The conversation has a test of its own.
                let isAccepted = rule.refusal(of: facts) == nil
                kindCount += 1
                let isContent = kind == .message || kind == .update
                let role = facts.author.role
                let isExpected =
                    isAllowed(right, facts)
                    && (!isContent || facts.author.status.isPending || facts.own.status.isPending || role >= .author)
                if isAccepted != isExpected { Issue.record("\(kind.rawValue): \(isAccepted) for \(facts)") }
                guard isAccepted else { return }
                acceptedCount += 1
                accepted.roles.insert(role.rawValue)
                accepted.categories.insert(facts.author.category.rawValue)
                accepted.states.insert(facts.author.status.rawValue)
                accepted.ways.insert(
                    !facts.isForwarded ? "direct" : facts.isConnected ? "forwarded, connected" : "forwarded")
            }
            for role in GroupEventRuleTests.roles {
                for category in GroupEventRuleTests.categories {
                    for status in GroupMember.Status.allCases {
                        for own: GroupMember.Status in [.connected, .pendingReview, .left, .invited] {
                            for subject in GroupEventRuleTests.subjects {
                                for way in 0..<3 {
                                    var facts = Facts(
                                        author: Facts.Member(role, category, status),
                                        own: Facts.Member(.admin, .user, own))
                                    facts.subject = subject
                                    (facts.isForwarded, facts.isConnected) = (way > 0, way == 2)
                                    facts.isInviterOfSubject = subject == .unknown
                                    walk(facts)
                                }
                            }
                        }
                    }
                }
                // What matters for some events only: the given role, the inviter, blocks, and the role of the user.
                for given in GroupEventRuleTests.roles {
                    for knowsHigherRole in [false, true] {
                        var facts = Facts(
                            author: Facts.Member(role, .host, .connected), own: Facts.Member(.member, .user, .connected)
                        )
                        (facts.subject, facts.isInviterOfSubject) = (.unknown, true)
                        (facts.givenRole, facts.knowsHigherRole) = (given, knowsHigherRole)
                        walk(facts)
                        facts.subject = .author
                        walk(facts)
                    }
                    var facts = Facts(
                        author: Facts.Member(role, .pre, .connected), own: Facts.Member(given, .user, .connected))
                    facts.subject = .user
                    walk(facts)
                    facts.subject = .member(Facts.Member(given, .post, .connected))
                    for isInviter in [false, true] {
                        facts.isInviterOfSubject = isInviter
                        walk(facts)
                    }
                    for block in Facts.Block.allCases {
                        facts.blocks = [block]
                        walk(facts)
                    }
                }
            }
            count += kindCount
            func list(_ values: Set<String>, of count: Int) -> String {
                values.count >= count ? "all" : values.isEmpty ? "none" : values.sorted().joined(separator: " ")
            }
            table.append(
                [
                    kind.rawValue, GroupEventRuleTests.leastRole(in: accepted.roles), list(accepted.categories, of: 4),
                    rule.standing.rawValue, rule.subjects.rawValue, list(accepted.ways, of: 3),
                    "to \(rule.audience.rawValue)", rule.isSignedInChannels ? "signed in channels" : "unsigned",
                    "\(acceptedCount)/\(kindCount)",
                ].joined(separator: " | "))
        }
        print("event | least role | categories | author | about | ways | forwarded | signature | accepted")
        for line in table { print(line) }
        print("\(count) combinations of \(GroupEventKind.allCases.count) events")
        #expect(count > 600_000)
    }

    private static func leastRole(in accepted: Set<String>) -> String {
        accepted.contains("king") ? "any" : GroupRole.known.first { accepted.contains($0.rawValue) }?.rawValue ?? "none"
    }

    @Test func the_conversation_decides_who_writes() {
        for kind in [GroupEventKind.message, .update] {
            for role in GroupEventRuleTests.roles {
                for own in GroupEventRuleTests.roles {
                    func accepts(_ scope: Facts.Scope) -> Bool {
                        var facts = Facts(
                            author: Facts.Member(role, .pre, .connected), own: Facts.Member(own, .user, .connected))
                        facts.scope = scope
                        return GroupEventRule.refusal(of: kind, facts) == nil
                    }
                    #expect(accepts(.group) == (role >= .author))
                    #expect(accepts(.user) == (role >= .moderator))
                    #expect(accepts(.author) == (own >= .moderator))
                    #expect(accepts(.member) == (own >= .moderator && role >= .moderator))
                    #expect(!accepts(.unknown))
                }
            }
        }
    }

    /// What members do not send as a message has no right, and each kind of event has its name.
    @Test func each_kind_is_in_the_table() {
        for kind in GroupEventKind.allCases {
            let rule = GroupEventRule.rule(for: kind)
            #expect((rule.isMessage && !rule.isOfChannels) == (GroupEventRuleTests.rights[kind] != nil), "\(kind)")
        }
    }

    // MARK: - Through the inbox

    private func event(_ kind: GroupEventKind, _ team: GroupBench, _ subject: GroupMember) throws -> ChatMessage.Event {
        let id = Workbench.sharedID(90), member = subject.memberID, bytes = Bytes(repeating: 7, count: 32)
        let info = MemberInfo(
            GroupBench.memberID(60), .member, versions: ChatVersion.supported, profile: Profile(displayName: "zoe"))
        let links = IntroInvitation(groupLink: team.bench.invitationLink(9)), side = MemberIDRole(member, .member)
        let own = MemberIDRole(try team.group().membership.memberID, .member),
            profile = GroupProfile(displayName: "squad")
        let thumb = try #require(Reaction(emoji: "👍"))
        return switch kind {
        case .message: text("hello")
        case .update: .update(MessageUpdate(id, MessageContent("edited")))
        case .deletion: .deletion(MessageDeletion(id, of: member))
        case .reaction: .reaction(MessageReaction(id, thumb, isAdded: true, of: member))
        case .fileDescription:
            .fileDescription(FileDescriptionPart(id, DescriptionPart("x", part: 1, isComplete: false)))
        case .fileCancelled: .fileCancelled(id)
        case .profile: .profile(Profile(displayName: "mallory"))
        case .probe: .probe(.probe(bytes))
        case .probeCheck: .probe(.check(hash: bytes))
        case .probeConfirmation: .probe(.confirmation(bytes))
        case .hostProfile: .group(.hostProfile(Profile(displayName: "mallory")))
        case .memberLeft: .group(.memberLeft)
        case .contactInvitation:
            .group(
                .contactInvitation(MemberContactInvitation(connectionLink: team.bench.invitationLink(8), content: nil)))
        case .memberJoined: .group(.memberJoined(info))
        case .memberIntroduced: .group(.memberIntroduced(info))
        case .introInvitation: .group(.introInvitation(member, links))
        case .introForwarded: .group(.introForwarded(info, links))
        case .memberConnected: .group(.memberConnected(member))
        case .admission: .group(.admission(.accepted, role: .member, member))
        case .roleChanged: .group(.roleChanged(member, .observer))
        case .restrictionChanged: .group(.restrictionChanged(member, MemberRestrictions(.blocked)))
        case .memberRemoved: .group(.memberRemoved(member))
        case .profileChanged: .group(.profileChanged(profile))
        case .preferencesChanged: .group(.preferencesChanged(.newBusinessChat))
        case .groupDeleted: .group(.groupDeleted)
        case .forwarded: team.forward(text("forged"), 91, of: member).event
        case .invitation:
            .group(
                .invitation(
                    GroupInvitation(
                        from: side, to: own, connectionLink: team.bench.invitationLink(9), groupProfile: profile)))
        case .invitationAccepted: .group(.invitationAccepted(member))
        case .linkInvitation:
            .group(.linkInvitation(GroupLinkInvitation(from: side, named: "eve", to: own, groupProfile: profile)))
        case .linkRejection:
            .group(.linkRejection(GroupLinkRejection(from: side, to: own, groupProfile: profile, reason: .blockedName)))
        case .memberPresented: .group(.memberPresented(member, Profile(displayName: "mallory")))
        case .allConnected: .group(.allConnected(member))
        case .contactRequest: .contactRequest(ContactRequest(profile: Profile(displayName: "mallory")))
        case .ok: .ok
        case .contactDeleted: .contactDeleted
        case .relayAdded: .group(.relayAdded(link: "l"))
        case .relayCapabilities: .group(.relayCapabilities(RelayCapabilities()))
        case .roster: .group(.roster(version: 1, RosterFile(size: 2, digest: bytes)))
        case .rosterAcknowledged: .group(.rosterAcknowledged(version: 1))
        case .rosterRequested: .group(.rosterRequested())
        case .channelJoin:
            .group(.channelJoin(ChannelJoin(Profile(displayName: "eve"), as: member, key: bytes, at: nil)))
        case .relayInvitation:
            .group(
                .relayInvitation(RelayInvitation(from: side, Profile(displayName: "eve"), to: member, channelLink: "l"))
            )
        case .relayAccepted: .group(.relayAccepted(link: "l"))
        case .relayRejected: .group(.relayRejected(.rejoin))
        case .relayTest: .group(.relayTest(challenge: bytes))
        }
    }

    @Test(arguments: GroupEventKind.allCases.filter { GroupEventRule.rule(for: $0).isOfChannels })
    func groups_without_relays_ignore_events_of_channels(kind: GroupEventKind) throws {
        let team = try GroupBench(), owner = try team.member("owner", .owner), before = try team.group()
        let members = try team.bench.store.members(of: team.id)
        try team.receive(try event(kind, team, owner), 1, from: owner)
        #expect(try team.group() == before)
        #expect(try team.bench.store.members(of: team.id) == members)
        #expect(try team.items().isEmpty)
        #expect(!team.bench.events().contains { $0 is MessageUnusableEvent })
    }

    /// What the table refuses changes nothing, and what it accepts is not refused by another rule about roles.
    @Test(arguments: GroupEventKind.allCases.filter { !GroupEventRule.rule(for: $0).isOfChannels })
    func the_handlers_ask_the_table(kind: GroupEventKind) throws {
        let reasons = Set([GroupRefusal.role, .category, .gone, .forwarder, .unexpected, .connected, .forwardedEvent])
        for role in [GroupRole.observer, .member, .admin, .owner] {
            for category in [GroupMember.Category.invitee, .host, .post] {
                for isForwarded in category == .post && kind != .forwarded ? [false, true] : [false] {
                    let team = try GroupBench(role: .admin), author = try team.member("author", role, category)
                    let admin = try team.member("admin", .owner, .host),
                        subject = try team.member("subject", .member, .post)
                    // Who has written directly needs no host.
                    try team.bench.store.note(Workbench.sharedID(99), of: author.id, through: nil, at: team.bench.now)
                    let event = try event(kind, team, subject)
                    #expect(GroupEventKind(event) == kind)
                    _ = team.bench.events()
                    let before = try team.snapshot()
                    if isForwarded {
                        guard event.isForwardable else { continue }
                        try team.receive([team.forward(event, 92, of: author.memberID)], from: admin)
                    } else {
                        try team.receive(event, 92, from: author)
                    }
                    let told = team.bench.events().compactMap { ($0 as? MessageUnusableEvent)?.reason }
                    let refused = told.compactMap(GroupRefusal.init(rawValue:)).filter(reasons.contains)
                    let right = GroupEventRuleTests.rights[kind]
                    var isAllowed = right != nil && (right?.least.map { role >= $0 } ?? true)
                    if kind == .message || kind == .update { isAllowed = role >= .author }
                    if right?.isHostOnly == true, category != .host { isAllowed = false }
                    if right?.isInviteeOnly == true, category != .invitee { isAllowed = false }
                    if isForwarded, right?.ways.contains("c") != true { isAllowed = false }
                    let comment: Comment = "\(kind.rawValue) \(role.rawValue) \(category) \(isForwarded)"
                    #expect(refused.isEmpty == isAllowed, comment)
                    if !isAllowed { #expect(try team.snapshot() == before, comment) }
                }
            }
        }
    }
}

extension GroupBench {
    /// What was recorded of the group, its members, their messages and what goes to others.
    func snapshot() throws -> [String] {
        let members = try bench.store.members(of: id).map { member in
            "\(member.id.number) \(member.role.rawValue) \(member.category) \(member.status) \(member.name) \(member.isBlockedForAll)"
        }
        let contacts = try bench.store.contacts(of: ProfileID(1)).map { "\($0.name) \($0.unreadCount)" }
        return try members + contacts + [
            group().json.line, "\(items().count)", "\(bench.agent.sent.count)", "\(bench.agent.joined.count)",
        ]
    }
}
