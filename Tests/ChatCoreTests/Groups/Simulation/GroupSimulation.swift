import AgentProtocol
import ByteCoding
import ChatProtocol
import SystemIO
import TestSupport
import Testing

@testable import ChatCore

/// A group of 50 people, half of them away at any time, over relays that fail and in processes that end.
///
/// The protocol has no order among members: what two of them do at the same time arrives here in one order and there in another. So
/// a right that somebody got is used once all have heard of it, nobody gets a role while a moderator deletes their messages, and what
/// a member did that was removed meanwhile is not compared.
final class GroupSimulation {
    static let isLong = ProcessEnvironment.variables()["TACIT_LONG_SIMULATION"] != nil
    /// The seeds that are run: one, or so many.
    static let seeds: ClosedRange<UInt64> = {
        let number = { (name: String) in ProcessEnvironment.variables()[name].flatMap { UInt64($0) } }
        if let seed = number("TACIT_SEED") { return seed...seed }
        return 1...max(number("TACIT_SEEDS") ?? (isLong ? 200 : 10), 1)
    }()
    /// How many people are there in the end, if none leaves.
    private static let size = 50
    private static let founders = 44
    /// How many things people do.
    private static let steps = isLong ? 150 : 60

    private let seed: UInt64
    private let relays: SimulatedRelays
    private let folder: TemporaryFolder
    private var people: [SimulatedPerson] = []
    /// How many messages were written when somebody came in.
    private var since: [Int: Int] = [:]
    /// The messages in the order in which they were written.
    private var written: [SharedMessageID] = []
    /// Who was removed, or blocked for some time: not all have all that they sent.
    private var doubtful: Set<MemberID> = []
    /// The messages that moderators deleted, with their authors.
    private var moderated: [SharedMessageID: MemberID] = [:]
    private var left: Set<Int> = []
    private var joining: Set<Int> = []
    private var link: String?
    private var count = 0
    private var names: [MemberID: String] = [:]
    private let thumb: Reaction
    private let rocket: Reaction

    init(seed: UInt64) throws {
        self.seed = seed
        relays = SimulatedRelays(seed: seed)
        folder = try TemporaryFolder()
        guard let thumb = Reaction(emoji: "👍"), let rocket = Reaction(emoji: "🚀") else { throw ChatError.internal }
        self.thumb = thumb
        self.rocket = rocket
        people = try (0..<GroupSimulation.founders).map { try SimulatedPerson($0, relays, in: folder.path) }
        try found()
    }

    private var owner: SimulatedPerson { people[0] }

    private func found() throws {
        let roles = people.indices.map { index -> GroupRole in
            switch index {
            case 0: .owner
            case 1, 2: .admin
            case 3...5: .moderator
            case 6...8: .observer
            default: .member
            }
        }
        var preferences = GroupPreferences()
        for feature in [GroupPreferences.Feature.history, .reactions] { preferences[feature] = .init(true) }
        let profile = GroupProfile(displayName: "team", preferences: preferences)
        let connections = try people.map { try $0.found(profile, with: people, roles: roles, of: owner) }
        for person in people {
            for other in people where other !== person {
                guard let own = connections[person.number][other.number],
                    let theirs = connections[other.number][person.number]
                else { continue }
                person.agent.connect(own, with: SimulatedEnd(person: other.number, connection: theirs))
            }
            since[person.number] = 0
        }
    }

    // MARK: - What happens

    func run() async throws {
        if let group = try owner.group { link = try await owner.groups.createLink(of: group, role: .member).link.full }
        for person in people { person.mortality = 0.1 }
        for _ in 0..<GroupSimulation.steps {
            for person in people { person.isOnline = relays.happens(50) }
            try await act()
            try deliver(upTo: 3, losing: true)
            relays.pass(.seconds(Int.random(in: 1...40, using: &relays.random)))
            try welcome()
        }
        for person in people {
            person.mortality = 0
            person.isOnline = true
        }
        repeat {
            relays.pass(.seconds(31))
        } while try deliver(upTo: .max, losing: false)
        try welcome()
    }

    /// One person does something, perhaps without a network.
    private func act() async throws {
        let choice = Int.random(in: 0..<100, using: &relays.random)
        guard
            let person = people.filter({ since[$0.number] != nil && !left.contains($0.number) })
                .randomElement(using: &relays.random), let group = try person.group
        else { return }
        let isIn = group.membership.status.isCurrent && group.membership.status.isActive
        guard isIn else { return }
        do {
            switch choice {
            case 0..<40: try write(person, group)
            case 40..<52: try edit(person, group)
            case 52..<66: try react(person, group)
            case 66..<72: try delete(person, group)
            case 72..<78: try moderate(group)
            case 78..<84: try await promote()
            case 84..<86: try leave(person, group)
            case 86..<89: try remove()
            case 89..<91: try block()
            case 91..<93: try await rename()
            default: try join()
            }
        } catch {
            // Its process ended meanwhile.
            guard people.contains(where: \.agent.isDead) else { throw error }
        }
        for person in people { try person.recover() }
    }

    private func target(_ group: Group) -> ChatTarget { .reference(.group(group.id)) }

    /// True if all who are in the group know somebody's role.
    private func isKnown(_ role: GroupRole, of id: MemberID) throws -> Bool {
        for person in people where since[person.number] != nil && !left.contains(person.number) {
            guard let group = try person.group else { continue }
            let known = group.membership.memberID == id ? group.membership : try person.store.member(id, in: group.id)
            if known?.role != role { return false }
        }
        return true
    }

    private func write(_ person: SimulatedPerson, _ group: Group) throws {
        guard group.membership.role >= .author, try isKnown(group.membership.role, of: group.membership.memberID) else {
            return
        }
        let known = try person.items(group).filter { $0.deletedAt == nil }
        let quoted = relays.happens(25) ? known.randomElement(using: &relays.random)?.id : nil
        count += 1
        let sent = try person.groups.conversations.send(
            SendMessages(
                target(group), [ComposedMessage(MessageContent("message \(count)"), answering: quoted)]))
        written += sent.items.compactMap(\.item.sharedID)
    }

    private func edit(_ person: SimulatedPerson, _ group: Group) throws {
        guard group.membership.role >= .author, let item = try own(person, group) else { return }
        count += 1
        let text = "\(item.content.plainText.prefix(20)), edited \(count)"
        _ = try person.groups.conversations.edit(EditItem(target(group), item.id, MessageContent(text)))
    }

    private func own(_ person: SimulatedPerson, _ group: Group) throws -> ChatItem? {
        try person.items(group).filter { $0.direction == .sent && $0.deletedAt == nil }
            .randomElement(using: &relays.random)
    }

    private func react(_ person: SimulatedPerson, _ group: Group) throws {
        let items = try person.items(group).filter { $0.deletedAt == nil }.suffix(10)
        guard let item = items.randomElement(using: &relays.random) else { return }
        let reaction = relays.happens(60) ? thumb : rocket
        let isGiven = item.reactions.contains { $0.direction == .sent && $0.reaction == reaction }
        _ = try person.groups.conversations.react(React(target(group), item.id, reaction, isAdded: !isGiven))
    }

    private func delete(_ person: SimulatedPerson, _ group: Group) throws {
        guard let item = try own(person, group) else { return }
        _ = try person.groups.conversations.delete(DeleteItems(target(group), [item.id], .broadcast))
    }

    private func moderate(_ any: Group) throws {
        guard let person = people[0...5].filter({ !left.contains($0.number) }).randomElement(using: &relays.random),
            let group = try person.group
        else { return }
        let role = group.membership.role
        guard try isKnown(role, of: group.membership.memberID) else { return }
        let items = try person.items(group).filter { item in
            guard item.deletedAt == nil, let author = item.group?.author else { return false }
            return try author.role <= role && isKnown(author.role, of: author.memberID)
        }
        guard let item = items.randomElement(using: &relays.random) else { return }
        if let id = item.sharedID, let author = item.group?.author { moderated[id] = author.memberID }
        _ = try person.groups.conversations.moderate([item.id], in: target(group))
    }

    /// The owner gives somebody a higher role.
    private func promote() async throws {
        guard let group = try owner.group,
            let member = try owner.store.members(of: group.id).filter({
                try $0.status.isCurrent && $0.role < .admin && !isModerated($0.memberID)
            }).randomElement(using: &relays.random)
        else { return }
        let role: GroupRole = member.role < .member ? .member : member.role < .moderator ? .moderator : .admin
        _ = try await owner.groups.setRole(role, of: [member.id], in: group)
    }

    /// True if a message of somebody was deleted by a moderator, and not all have heard of it.
    private func isModerated(_ id: MemberID) throws -> Bool {
        let messages = Set(moderated.filter { $0.value == id }.keys)
        guard !messages.isEmpty else { return false }
        for person in people where !left.contains(person.number) {
            guard let first = since[person.number], let group = try person.group else { continue }
            let items = try person.items(group).filter { $0.sharedID.map(messages.contains) == true }
            let deleted = Set(items.filter { $0.deletedAt != nil }.compactMap(\.sharedID))
            for message in messages.subtracting(deleted) where (written.firstIndex(of: message) ?? 0) >= first {
                return true
            }
        }
        return false
    }

    /// A plain member leaves.
    private func leave(_ person: SimulatedPerson, _ group: Group) throws {
        guard person.number > 5, group.membership.role <= .member else { return }
        left.insert(person.number)
        _ = try person.groups.leave(group)
    }

    /// An admin removes a plain member.
    private func remove() throws {
        let admin = people[Int.random(in: 0...2, using: &relays.random)]
        guard let group = try admin.group,
            let member = try admin.store.members(of: group.id).filter({
                try $0.status == .connected && $0.role <= .member && isKnown($0.role, of: $0.memberID)
            }).randomElement(using: &relays.random),
            let person = try people.first(where: { try $0.group?.membership.memberID == member.memberID })
        else { return }
        left.insert(person.number)
        doubtful.insert(member.memberID)
        _ = try admin.groups.remove([member.id], from: group, withMessages: relays.happens(50))
    }

    /// A moderator blocks a plain member for all.
    private func block() throws {
        let moderator = people[Int.random(in: 0...5, using: &relays.random)]
        guard !left.contains(moderator.number), let group = try moderator.group,
            let member = try moderator.store.members(of: group.id).filter({
                try $0.status == .connected && $0.role <= .member && !doubtful.contains($0.memberID)
                    && isKnown($0.role, of: $0.memberID)
            }).randomElement(using: &relays.random)
        else { return }
        doubtful.insert(member.memberID)
        _ = try moderator.groups.block([member.id], in: group, true)
    }

    private func rename() async throws {
        guard let group = try owner.group else { return }
        count += 1
        var profile = group.profile
        profile.displayName = "team \(count)"
        _ = try await owner.groups.update(group, profile)
    }

    /// Somebody new asks at the link.
    private func join() throws {
        guard let link, people.count < GroupSimulation.size else { return }
        let person = try SimulatedPerson(people.count, relays, in: folder.path)
        people.append(person)
        joining.insert(person.number)
        let profile = try person.context.lookup.owner(ProfileID(1))
        _ = try person.groups.connect(profile, link: link, isIncognito: false)
        person.mortality = 0.1
    }

    /// Notes who has come in, for its host: from now on it gets everything.
    private func welcome() throws {
        guard let group = try owner.group else { return }
        for number in joining.sorted() {
            let person = people[number]
            guard let own = try person.group, own.membership.status == .connected,
                try owner.store.member(own.membership.memberID, in: group.id)?.status == .connected
            else { continue }
            joining.remove(number)
            since[number] = written.count
        }
    }

    // MARK: - Relays

    /// Moves packets. Some relays are down, some answers are lost, and in each queue order is kept. Returns false if there was none.
    @discardableResult
    private func deliver(upTo most: Int, losing: Bool) throws -> Bool {
        var hasMoved = false
        for person in people where person.isOnline {
            person.environment.runTimers()
            try person.recover()
            for id in person.agent.filledOutboxes where !losing || !relays.happens(20) {
                for _ in 0..<most {
                    guard person.agent.hasPackets(id) else { break }
                    person.agent.flush(id) { [self] end in people[end.person].agent.isGone(end.connection) }
                    hasMoved = true
                    try person.recover()
                }
            }
        }
        for end in relays.filled(of: { people[$0].isOnline }) where !losing || !relays.happens(20) {
            for _ in 0..<most {
                guard let packet = relays.take(from: end, staying: losing && relays.happens(5)) else { break }
                hasMoved = true
                people[end.person].agent.receive(packet)
                try people[end.person].recover()
            }
        }
        return hasMoved
    }

    // MARK: - What is left

    /// A message as somebody sees it.
    private struct Seen: Equatable, CustomStringConvertible {
        var text: String
        var isEdited: Bool
        var quoted: SharedMessageID?
        var reactions: Set<String>

        var description: String { "\(text)\(isEdited ? " (edited)" : "") \(reactions.sorted())" }
    }

    /// What somebody sees.
    private struct View {
        var profile: String
        var members: [String: String] = [:]
        var messages: [SharedMessageID: Seen] = [:]
        /// The messages of each author in their order.
        var order: [String: [SharedMessageID]] = [:]
    }

    private func name(of id: MemberID) -> String { names[id] ?? "\(id)" }

    private func view(of person: SimulatedPerson, since first: Int) throws -> View? {
        guard let group = try person.group else { return nil }
        var view = View(profile: group.profile.displayName)
        let known = Set(written[first...])
        for member in try person.store.members(of: group.id) + [group.membership] where member.status.isCurrent {
            let isBlocked = member.isUser ? "" : member.isBlockedForAll ? " blocked" : ""
            view.members[name(of: member.memberID)] = "\(member.role.rawValue)\(isBlocked)"
        }
        for item in try person.items(group) {
            guard let id = item.sharedID, known.contains(id) else { continue }
            let author = item.group?.author?.memberID ?? group.membership.memberID
            guard !doubtful.contains(author) else { continue }
            view.order[name(of: author), default: []].append(id)
            guard item.deletedAt == nil, case .message = item.content else { continue }
            var reactions: Set<String> = []
            for reaction in [thumb, rocket] {
                let members = try person.groups.conversations.members(
                    thatGave: reaction, to: item.id, in: target(group))
                for member in members where !doubtful.contains(member.member.memberID) {
                    reactions.insert("\(name(of: member.member.memberID)) \(reaction.text)")
                }
            }
            view.messages[id] = Seen(
                text: item.content.plainText, isEdited: item.editedAt != nil, quoted: item.quote?.reference.id,
                reactions: reactions)
        }
        return view
    }

    /// Checks that all who should agree do.
    func check() throws {
        for person in people { if let id = try person.group?.membership.memberID { names[id] = person.name } }
        #expect(joining.isEmpty, "seed \(seed): \(joining) did not come in")
        for number in left.sorted() where since[number] != nil {
            let status = try people[number].group?.membership.status
            #expect(status?.isGone == true, "seed \(seed): p\(number) is not told that it is out")
        }
        for person in people where !left.contains(person.number) {
            guard let first = since[person.number], let expected = try view(of: owner, since: first),
                let seen = try view(of: person, since: first)
            else { continue }
            compare(seen, expected, "seed \(seed), \(person.name)")
        }
        for person in people { try person.store.checkSummaries() }
        #expect(people.reduce(0) { $0 + $1.deaths } > 0, "seed \(seed): no process ended")
    }

    private func compare(_ seen: View, _ expected: View, _ place: String) {
        #expect(seen.profile == expected.profile, "\(place)")
        for id in Set(seen.members.keys).union(expected.members.keys).sorted() {
            // The blocked one is not told.
            let own = seen.members[id], other = expected.members[id]
            guard own != other, own.map({ $0 + " blocked" }) != other else { continue }
            Issue.record("\(place): member \(id) is \(own ?? "none"), not \(other ?? "none")")
        }
        for id in Set(seen.messages.keys).union(expected.messages.keys) where seen.messages[id] != expected.messages[id]
        {
            let number = written.firstIndex(of: id) ?? -1
            let own = seen.messages[id]?.description, other = expected.messages[id]?.description
            Issue.record("\(place): message \(number) is \(own ?? "none"), not \(other ?? "none")")
        }
        for (author, order) in seen.order {
            let visible = order.filter { seen.messages[$0] != nil }
            let wanted = (expected.order[author] ?? []).filter { seen.messages[$0] != nil }
            #expect(visible == wanted, "\(place): order of \(author)")
        }
    }
}

/// Everything that members of a large group do, while nothing is reliable.
@Suite struct GroupSimulationTests {
    @Test(arguments: GroupSimulation.seeds)
    func all_members_agree_in_the_end(seed: UInt64) async throws {
        let simulation = try GroupSimulation(seed: seed)
        try await simulation.run()
        try simulation.check()
    }
}
