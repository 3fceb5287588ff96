import AgentProtocol
import ChatProtocol
import Testing

@testable import ChatCore

// People in groups, over a real relay on loopback.

extension TestHouse {
    /// Lets stores fetch until a condition holds, at most so often. Returns the types of the events of each.
    @discardableResult
    func settle(
        _ stores: [TestStore], rounds: Int = 8, until isSettled: () throws -> Bool = { false }
    ) throws -> [[String]] {
        var types: [[String]] = stores.map { _ in [] }
        for _ in 0..<rounds {
            for (index, store) in stores.enumerated() {
                _ = try store.fetch()
                types[index] += store.events().map { type(of: $0).type }
            }
            if try isSettled() { break }
        }
        return types
    }

    /// A group of a person, with its link.
    func linkedGroup(
        of owner: TestStore, _ presented: GroupProfile = GroupProfile(displayName: "team", preferences: .newGroup),
        role: GroupRole = .member
    ) throws -> String {
        let made = try owner.execute(CreateGroup(ProfileID(1), presented)).group
        return try owner.execute(CreateGroupLink(.id(made.id), role)).link.link.preferred
    }

    /// Three people in one group, joined through its link one after the other.
    func trio() throws -> (TestStore, TestStore, TestStore) {
        let alice = try person("alice"), bob = try person("bob"), cath = try person("cath")
        let link = try linkedGroup(of: alice)
        try bob.join(link)
        try settle([alice, bob]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        try cath.join(link)
        try settle([alice, bob, cath]) {
            try [alice, bob, cath].allSatisfy { try $0.isInGroup(with: 2) }
        }
        return (alice, bob, cath)
    }
}

extension TestStore {
    private func newestGroup() throws -> Group? {
        try execute(ListGroups()).groups.max { $0.id.number < $1.id.number }
    }

    /// The newest group.
    func group() throws -> Group { try #require(try newestGroup()) }

    /// How far the user is in the newest group; nil if there is none.
    func status() throws -> GroupMember.Status? { try newestGroup()?.membership.status }

    /// What is known of another member of the newest group; nil if there is none with the name.
    func known(_ name: String) throws -> GroupMember? {
        guard let group = try newestGroup() else { return nil }
        return try execute(ListMembers(.id(group.id))).members.first { $0.profile.displayName == name }
    }

    /// The other members of the newest group.
    func members() throws -> [GroupMember] { try execute(ListMembers(.id(try group().id))).members }

    func member(_ name: String) throws -> GroupMember {
        try #require(try members().first { $0.profile.displayName == name })
    }

    /// True if the user is in the newest group and connected with so many others.
    func isInGroup(with count: Int) throws -> Bool {
        guard let group = try newestGroup() else { return false }
        let connected = try execute(ListMembers(.id(group.id))).members.count { $0.status == .connected }
        return group.membership.status >= .connected && connected == count
    }

    func say(_ text: String) throws {
        let target = ChatTarget.reference(.group(try group().id))
        _ = try execute(SendMessages(target, [ComposedMessage(MessageContent(text))]))
    }

    /// The newest message of the user in the newest group.
    func lastItem() throws -> ChatItem? {
        let items = try execute(ShowChat(.reference(.group(try group().id)), .last(100))).items
        return items.last { $0.direction == .sent && $0.content.isMessage }
    }

    func lastStatus() throws -> ChatItem.Status? { try lastItem()?.status }

    /// What others wrote in the newest group.
    func heard() throws -> [String] {
        let items = try execute(ShowChat(.reference(.group(try group().id)), .last(100))).items
        return items.filter { $0.direction == .received && $0.content.isMessage }.map(\.content.plainText)
    }
}

extension Workbench {
    private static let ratchetKey =
        "MEIwBQYDK2VvAzkAmKuSYeQ_m0SixPDS8Wq8VBaTS1cW-Lp0n0h4Diu-kUpR-qXx4SDJ32YGEFoGFGSbGPry5Ychr6U%3D"

    /// The text of an invitation of another person.
    func invitationLink(_ number: UInt8) -> String {
        let queue = link(number).description.replacing("/contact#", with: "/invitation#")
        let text = "\(queue)&e2e=v%3D2-3%26x3dh%3D\(Workbench.ratchetKey)%2C\(Workbench.ratchetKey)"
        return (try? ConnectionLink(text: text))?.description ?? text
    }
}
