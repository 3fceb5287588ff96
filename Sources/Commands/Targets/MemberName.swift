package import ChatCore
import CommandKit

/// A member of a group, as it is written in a command line.
package enum MemberName: Hashable, Sendable {
    /// `+team/@ann`
    case name(group: String, member: String)
    /// `id:u3`
    case memberID(GroupMemberID)

    /// Reads a member; nil for a word without a group, or with an empty name.
    package init?(_ word: String) {
        if word.hasPrefix("id:") {
            guard let id = ObjectID.member(from: word.dropFirst(3)) else { return nil }
            self = .memberID(id)
            return
        }
        guard word.first == "+" || word.first == "#" else { return nil }
        // The names of groups may hold a slash, those of members too: the first slash with an at sign parts them.
        let scalars = Array(word.dropFirst().unicodeScalars)
        guard let slash = scalars.indices.first(where: { scalars[$0...].starts(with: ["/", "@"]) }) else { return nil }
        let group = String(String.UnicodeScalarView(scalars[..<slash]))
        let member = String(String.UnicodeScalarView(scalars[(slash + 2)...]))
        guard !group.isEmpty, !member.isEmpty else { return nil }
        self = .name(group: group, member: member)
    }

    package var word: String {
        switch self {
        case .name(let group, let member): "+\(group)/@\(member)"
        case .memberID(let id): "id:\(ObjectID.text(id))"
        }
    }
}

extension ValueKind where Value == MemberName {
    /// A member of a group.
    static func member() -> ValueKind {
        ValueKind(
            ValueForm("MEMBER", expected: "+group/@name, or id:u1", completing: .member),
            read: { MemberName($0) }, write: { $0.word })
    }
}
