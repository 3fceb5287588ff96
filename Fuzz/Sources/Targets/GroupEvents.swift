import ByteCoding
import ChatCore
import ChatProtocol

extension FuzzTarget {
    /// Events of the members of one group, in the order of the input: what the rights accept changes a table of members.
    static let groupEvents = FuzzTarget(name: "group-events") { input in
        var reader = ByteReader(input), table = MemberTable()
        while let step = try? MemberTable.Step(&reader) { table.take(step) }
        // The same bytes as what a member sends.
        for element in ChatPayload.elements(of: input) {
            guard case .success(.message(let message)) = element.content, let kind = GroupEventKind(message.event)
            else {
                continue
            }
            let rule = GroupEventRule.rule(for: kind)
            promise(rule.forwarding != .never || !message.event.isForwardable, "\(kind.rawValue) is forwarded")
        }
    }
}

/// The members of a group as the user knows them: an owner that is connected, and nine others that the input chooses.
private struct MemberTable {
    struct Step {
        let kind: GroupEventKind
        let author: Int
        let subject: Int
        let role: GroupRole
        let scope: GroupEventFacts.Scope
        let isForwarded: Bool
        let isConnected: Bool
        let block: GroupEventFacts.Block?

        init(_ reader: inout ByteReader) throws(DecodeError) {
            func choice<Value>(_ values: [Value], _ number: UInt8) -> Value { values[Int(number) % values.count] }
            kind = choice(GroupEventKind.allCases, try reader.uint8())
            author = Int(try reader.uint8() % 10)
            subject = Int(try reader.uint8() % 13)
            let number = try reader.uint8()
            role = choice(GroupRole.known + [GroupRole(rawValue: "king")], number)
            let flags = try reader.uint8()
            scope = choice([.group, .user, .author, .member, .unknown], flags >> 4)
            (isForwarded, isConnected) = (flags & 1 != 0, flags & 2 != 0)
            block = flags & 12 == 12 ? choice(GroupEventFacts.Block.allCases, number >> 4) : nil
        }
    }

    private var own = GroupEventFacts.Member(.member, .user, .connected)
    private var members: [GroupEventFacts.Member]
    private var inviters = [Int](repeating: 1, count: 10)

    init() {
        let categories: [GroupMember.Category] = [.pre, .host, .post, .invitee]
        let roles: [GroupRole] = [.owner, .admin, .moderator, .member, .observer]
        members = (0..<10).map { GroupEventFacts.Member(roles[$0 % 5], categories[$0 % 4], .connected) }
        members[5] = GroupEventFacts.Member(.author, .pre, .unknown)
        members[9] = GroupEventFacts.Member(.member, .post, .pendingReview)
    }

    mutating func take(_ step: Step) {
        let author = members[step.author]
        var facts = GroupEventFacts(author: author, own: own)
        facts.scope = step.scope
        (facts.isForwarded, facts.isConnected) = (step.isForwarded, step.isConnected)
        if let block = step.block { facts.blocks = [block] }
        switch step.subject {
        case 10: facts.subject = .user
        case 11: (facts.subject, facts.isInviterOfSubject) = (.unknown, true)
        case 12: facts.subject = .none
        case step.author: facts.subject = .author
        default:
            facts.subject = .member(members[step.subject])
            facts.isInviterOfSubject = inviters[step.subject] == step.author
        }
        switch step.kind {
        case .memberJoined, .memberIntroduced, .introForwarded, .roleChanged, .admission: facts.givenRole = step.role
        default: break
        }
        facts.knowsHigherRole = members.contains { $0.status == .connected && $0.role > author.role }
        guard GroupEventRule.refusal(of: step.kind, facts) == nil else { return }
        check(step, facts)
        apply(step, facts)
    }

    /// What no accepted event may do.
    private func check(_ step: Step, _ facts: GroupEventFacts) {
        let role = facts.author.role, name = step.kind.rawValue
        promise(facts.own.status > .invited, "\(name) outside of the group")
        // Unknown authors have no connection, so an event of theirs is forwarded whatever the input says.
        let status = facts.author.status
        promise(status == .unknown || status > .invited || facts.isForwarded, "\(name) of somebody who is gone")
        if let given = facts.givenRole {
            promise(role >= .moderator, "\(name) gives a role by \(role.rawValue)")
            promise(given <= role || !facts.knowsHigherRole, "\(name) gives a role above that of its author")
        }
        switch step.kind {
        case .roleChanged, .memberRemoved, .restrictionChanged, .groupDeleted, .profileChanged, .preferencesChanged,
            .memberLeft, .memberJoined, .profile:
            promise(!facts.isForwarded || !facts.isConnected, "\(name) in the name of a connected member")
        default: break
        }
        switch (step.kind, facts.subject) {
        case (.roleChanged, .member(let subject)), (.memberRemoved, .member(let subject)),
            (.restrictionChanged, .member(let subject)):
            promise(role >= subject.role, "\(name) about a higher role")
        case (.memberIntroduced, .user), (.memberIntroduced, .author), (.memberJoined, .user), (.memberJoined, .author),
            (.introForwarded, .user), (.introForwarded, .author), (.restrictionChanged, .user):
            promise(false, "\(name) about the user or its author")
        case (.memberIntroduced, .member(let subject)): promise(subject.status == .unknown, "\(name) of a known member")
        default: break
        }
    }

    private mutating func apply(_ step: Step, _ facts: GroupEventFacts) {
        let place = step.subject
        switch (step.kind, facts.subject) {
        case (.roleChanged, .user): own.role = step.role
        case (.roleChanged, .author), (.roleChanged, .member): members[place].role = step.role
        case (.admission, .user) where own.status.isPending: (own.role, own.status) = (step.role, .connected)
        case (.admission, .member(let subject)) where subject.status.isPending:
            (members[place].role, members[place].status) = (step.role, .connected)
        case (.memberIntroduced, .member): members[place] = GroupEventFacts.Member(step.role, .pre, .introduced)
        case (.memberJoined, .member(let subject)) where subject.status == .unknown:
            members[place] = GroupEventFacts.Member(step.role, .post, .announced)
            inviters[place] = step.author
        case (.memberConnected, .member): members[place].status = max(members[place].status, .connected)
        case (.memberRemoved, .user): own.status = .removed
        case (.memberRemoved, .author), (.memberRemoved, .member): members[place].status = .removed
        case (.memberLeft, _): members[step.author].status = .left
        case (.groupDeleted, _): own.status = .deleted
        default: break
        }
    }
}
