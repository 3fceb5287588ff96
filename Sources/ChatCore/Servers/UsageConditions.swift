public import ByteCoding

/// The conditions under which the operators let everybody use their relays: one text for all of them.
public struct UsageConditions: Hashable, Sendable {
    /// Counts the versions.
    public let number: Int64
    /// The revision of the text in the repository where the operators publish it.
    public let version: String

    /// Those that this program asks to be accepted: the ones of the official applications 7.0.
    public static let current = UsageConditions(number: 1, version: "05f99634c470f8bddac20046947a0606938b22ad")

    /// Where the text can be read.
    public var url: String { "https://github.com/simplex-chat/simplex-chat/blob/\(version)/PRIVACY.md" }
}

/// That the user accepted conditions.
public struct ConditionsAcceptance: Hashable, Sendable {
    /// As ``UsageConditions/version``.
    public let version: String
    public let time: Timestamp

    public init(version: String, time: Timestamp) {
        self.version = version
        self.time = time
    }

    /// Whether these are the conditions that this program knows.
    public var isCurrent: Bool { version == UsageConditions.current.version }
}
