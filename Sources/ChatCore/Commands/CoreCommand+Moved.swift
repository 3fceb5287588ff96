import ByteCoding
import ChatProtocol

// Cases of ``CoreCommand`` that are commands of their own: nothing makes them.
extension LocalCore {
    func showNotes(_: OwnProfile) throws -> CoreResponse { throw ChatError.internal }
    func openNotes(_: OwnProfile) throws -> CoreResponse { throw ChatError.internal }
    func listChats(_: OwnProfile, includesPending: Bool, count: Int?) throws -> CoreResponse {
        throw ChatError.internal
    }
    func showChat(_: ChatTarget, _: ItemRange) throws -> CoreResponse { throw ChatError.internal }
    func listItems(_: OwnProfile, _: ItemRange) throws -> CoreResponse { throw ChatError.internal }
    func markRead(_: ChatTarget) throws -> CoreResponse { throw ChatError.internal }
    func markRead(_: [ChatItemID], in: ChatTarget) throws -> CoreResponse { throw ChatError.internal }
    func send(_: [ComposedMessage], once: String?, to: ChatTarget) throws -> CoreResponse { throw ChatError.internal }
    func forward(_: [ChatItemID], from: ChatTarget, to: ChatTarget) throws -> CoreResponse { throw ChatError.internal }
    func edit(_: ChatItemID, _: MessageContent, in: ChatTarget) throws -> CoreResponse { throw ChatError.internal }
    func delete(_: [ChatItemID], _: DeletionMode, in: ChatTarget) throws -> CoreResponse { throw ChatError.internal }
    func react(_: Reaction, isAdded: Bool, to: ChatItemID, in: ChatTarget) throws -> CoreResponse {
        throw ChatError.internal
    }
    func showItem(_: ChatItemID) throws -> CoreResponse { throw ChatError.internal }
    func findItems(_: OwnProfile, _: ItemQuery) throws -> CoreResponse { throw ChatError.internal }
    func listCursors(_: OwnProfile) throws -> CoreResponse { throw ChatError.internal }
    func moveCursor(_: String, of: OwnProfile, in: ContactID?, _: CursorMove) throws -> CoreResponse {
        throw ChatError.internal
    }
    func deleteCursor(_: String, of: OwnProfile) throws -> CoreResponse { throw ChatError.internal }
    func setRetention(_: Retention, of: OwnProfile, in: ChatTarget?) throws -> CoreResponse { throw ChatError.internal }
    func setExpiry(_: Int64?, of: ChatTarget) throws -> CoreResponse { throw ChatError.internal }
    func purge(_: OwnProfile, in: ContactID?, before: Timestamp, isDry: Bool) throws -> CoreResponse {
        throw ChatError.internal
    }
    func listOutbox(_: OwnProfile) throws -> CoreResponse { throw ChatError.internal }
    func flush(timeout: Duration) async throws -> CoreResponse { throw ChatError.internal }
    func drop(_: ChatItemID) throws -> CoreResponse { throw ChatError.internal }
}
