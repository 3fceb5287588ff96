/// What a piece of text is, which decides how it looks.
public enum Style: Hashable, Sendable, CaseIterable {
    case plain
    case heading
    /// The name of a contact, a group or a profile.
    case name
    /// What we wrote ourselves.
    case own
    /// Times, ids, margins.
    case muted
    case unread
    case link
    case success, warning, error
    /// The labels under an error.
    case hint

    /// The parameters of "select graphic rendition" (ECMA-48 8.3.117). Only the colours that a terminal's theme defines
    /// are used, so they are readable on every background.
    var rendition: String {
        switch self {
        case .plain: ""
        case .heading: "1"
        case .name: "1;36"
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
