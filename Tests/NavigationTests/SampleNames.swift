import Navigation

/// Names of things to look up. The profiles are 1, `work`, and 2, `home/lab`.
struct SampleNames: AddressNames {
    private static let profiles: [Int64: String] = [1: "work", 2: "home/lab"]
    /// The contacts of both profiles, by their numbers.
    static let contacts: [Int64: String] = [
        1: "Ann Lee", 2: "a/b", 3: "back\\slash\\", 4: "..", 5: ".", 6: "#7", 7: "settings", 8: "Zoë 👩‍👩‍👧", 9: "/",
        10: "info", 11: "\\", 12: "contacts", 13: "profiles",
    ]

    func name(of subject: Subject) async -> String? {
        switch subject.kind {
        case .profile: Self.profiles[subject.number]
        case .contact: Self.contacts[subject.number]
        default: nil
        }
    }

    func subject(_ kind: Subject.Kind, named name: String, in profile: Int64?) async -> Subject? {
        switch (kind, profile) {
        case (.profile, nil): Self.profiles.first { $0.value == name }.map { .profile($0.key) }
        case (.contact, .some): Self.contacts.first { $0.value == name }.map { .contact($0.key) }
        default: nil
        }
    }
}
