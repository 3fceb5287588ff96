/// The role of a piece of text, which determines its look.
public enum Style: Hashable, Sendable, CaseIterable {
    /// Ordinary text.
    case plain
    /// A heading.
    case heading
    /// The name of a contact, a group or a profile.
    case name
    /// The names of members of a group, each in a look of its own.
    case member1, member2, member3, member4, member5, member6
    /// The user's own text.
    case own
    /// Secondary text: times, ids, margins.
    case muted
    /// An unread message.
    case unread
    /// A link.
    case link
    /// The result of an operation.
    case success, warning, error
    /// The labels under an error.
    case hint

    /// Returns the look of a member's name. A number has the same look in every session.
    public static func member(_ number: Int64) -> Style {
        let looks: [Style] = [.member1, .member2, .member3, .member4, .member5, .member6]
        let index = Int(truncatingIfNeeded: number.magnitude % UInt64(looks.count))
        return looks[index]
    }

    /// The parameters of "select graphic rendition" (ECMA-48 8.3.117). Only the colours of the terminal's theme are
    /// used, so they are readable on every background.
    var rendition: String {
        switch self {
        case .plain: ""
        case .heading: "1"
        case .name: "1;36"
        case .member1: "1;31"
        case .member2: "1;32"
        case .member3: "1;33"
        case .member4: "1;34"
        case .member5: "1;35"
        case .member6: "1;36"
        case .own: "32"
        case .muted: "2"
        case .unread: "1;33"
        case .link: "4;34"
        case .success: "32"
        case .warning: "33"
        case .error: "1;31"
        case .hint: "36"
        }
    }
}
