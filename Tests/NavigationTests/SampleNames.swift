import Navigation

/// Names of things to look up. The profiles are 1, `work`, and 2, `home/lab`.
struct SampleNames: AddressNames {
    private static let profiles: [Int64: String] = [1: "work", 2: "home/lab"]
    /// The contacts of both profiles, by their numbers.
    static let contacts: [Int64: String] = [
        1: "Ann Lee", 2: "a/b", 3: "back\\slash\\", 4: "..", 5: ".", 6: "#7", 7: "settings", 8: "Zoë 👩‍👩‍👧", 9: "/",
        10: "info", 11: "\\", 12: "contacts", 13: "profiles", 15: "groups",
    ]
    /// The group of the first profile.
    static let team = ChatSubject.group(8)
    private static let teamName = "team"
    private static let member: (number: Int64, name: String) = (3, "Bob B")

    static let notes = ChatSubject.notes(14)
    private static let notesName = "notes"

    func name(of subject: Subject) async -> String? {
        switch subject.kind {
        case .profile: Self.profiles[subject.number]
        case .contact: Self.contacts[subject.number]
        case .group: subject == Self.team.subject ? Self.teamName : nil
        case .notes: subject == Self.notes.subject ? Self.notesName : nil
        default: nil
        }
    }

    func profile(named name: String) async -> Int64? {
        Self.profiles.first { $0.value == name }?.key
    }

    func chat(named name: String, in profile: Int64) async -> ChatSubject? {
        name == Self.teamName
            ? Self.team
            : name == Self.notesName ? Self.notes : Self.contacts.first { $0.value == name }.map { .contact($0.key) }
    }

    func member(named name: String, of group: Int64) async -> Int64? {
        group == Self.team.number && name == Self.member.name ? Self.member.number : nil
    }

    func name(ofMember member: Int64, of group: Int64) async -> String? {
        group == Self.team.number && member == Self.member.number ? Self.member.name : nil
    }

    func chat(numbered number: Int64) async -> ChatSubject? {
        number == Self.notes.number ? Self.notes : Self.contacts[number].map { _ in .contact(number) }
    }
}
