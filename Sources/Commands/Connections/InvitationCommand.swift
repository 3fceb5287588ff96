import ChatCore
import CommandKit
import TerminalKit

/// `tacit invitation`
enum InvitationCommand {
    static let command = Command(
        noun: "invitation", "Manage invitations", verbs: leaves.map(\.command),
        defaultVerb: "list")

    static let leaves = [InvitationListCommand.leaf, InvitationShowCommand.leaf, InvitationCancelCommand.leaf]

    /// By id, or by the name that the contact is going to have.
    static let name = Positional<String>(
        "INVITATION", "Invitation, by id:i1 or by name", .text("INVITATION", completing: .invitation))

    /// The invitations that wait for somebody.
    static func all(_ session: CommandSession) async throws -> [ContactConnection] {
        let command = ListInvitations(try await session.profileID())
        return try await session.execute(command).connections.filter(\.isInitiated)
    }

    /// The invitation that the command line names.
    static func chosen(_ session: CommandSession) async throws -> ContactConnection {
        let word = session.invocation[name]
        let all = try await all(session)
        if let invitation = all.first(where: {
            word == "id:\(ObjectID.text($0.id))" || word == ObjectID.text($0.id)
        }) {
            return invitation
        }
        let named = all.filter { $0.requestedName.map { [$0, "@\($0)"].contains(word) } == true }
        switch NameMatch(named, isLiving: { $0.status != .failed }) {
        case .one(let invitation): return invitation
        case .several(let invitations):
            throw Reason.ambiguousName(word, ids: invitations.map { ObjectID.text($0.id) })
        case .none: throw Reason.unknownInvitation(word, known: all.compactMap(\.requestedName))
        }
    }
}
