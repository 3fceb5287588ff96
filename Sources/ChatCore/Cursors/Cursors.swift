import AgentProtocol

/// Read cursors: named positions up to which programs have read.
final class Cursors: Collaborator {
    let context: CoreContext

    init(_ context: CoreContext) {
        self.context = context
    }

    func list(of profile: OwnProfile) throws -> [Cursor] {
        try store.cursors(of: profile.id).map { try describe($0, of: profile.id) }
    }

    /// Moves a cursor, which is made if it does not exist.
    func move(
        _ name: String, of profile: OwnProfile, in reference: ChatReference?, _ move: CursorMove
    ) throws -> Cursor {
        guard !name.isEmpty else { throw ChatError.cursorNotFound(name) }
        try store.transaction {
            let known = try store.cursor(named: name, of: profile.id)
            if let known, let reference, known.chat != reference { throw ChatError.cursorElsewhere(name) }
            let named = try reference.map { try lookup.chat($0).reference }
            let chat = known?.chat ?? named
            let place = try self.place(of: move, known, profile, chat)
            if known == nil || place != known?.place {
                try store.setCursor(name, of: profile.id, in: chat, past: place, at: now)
            }
            if case .failed(let id) = move { try store.noteFailure(for: id, behind: name, of: profile.id) }
        }
        return try named(name, of: profile)
    }

    private func place(
        of move: CursorMove, _ known: StoredCursor?, _ profile: OwnProfile, _ chat: ChatReference?
    ) throws -> ChatItemID? {
        switch move {
        case .nowhere, .failed: return known?.place
        case .start: return nil
        case .end: return try store.newestItem(of: profile.id, in: chat)
        case .past(let id), .to(let id):
            // An entry that was removed since it was read still is a place.
            if let item = try store.item(id), try lookup.chat(item.chat).profileID != profile.id {
                throw ChatError.itemNotFound(id)
            }
            guard try id.number <= store.highestItem() else { throw ChatError.itemNotFound(id) }
            guard case .past = move, let place = known?.place else { return id }
            return place.number > id.number ? place : id
        }
    }

    func named(_ name: String, of profile: OwnProfile) throws -> Cursor {
        guard let cursor = try store.cursor(named: name, of: profile.id) else { throw ChatError.cursorNotFound(name) }
        return try describe(cursor, of: profile.id)
    }

    private func describe(_ cursor: StoredCursor, of id: ProfileID) throws -> Cursor {
        Cursor(
            name: cursor.name, chat: try cursor.chat.map { try lookup.chat($0) }, place: cursor.place,
            movedAt: cursor.movedAt,
            waiting: try store.countItems(of: id, in: cursor.chat, after: cursor.place),
            failure: cursor.failure)
    }
}
