import AgentProtocol

extension LocalCore {
    func listCursors(_ profile: OwnProfile) throws -> CoreResponse {
        .cursors(profile, try store.cursors(of: profile.id).map { try describe($0, of: profile.id) })
    }

    /// Puts a cursor somewhere; one that is not there is made.
    func moveCursor(
        _ name: String, of profile: OwnProfile, in contact: ContactID?, _ move: CursorMove
    ) throws -> CoreResponse {
        _ = try agent
        guard !name.isEmpty else { throw ChatError.cursorNotFound(name) }
        try store.transaction {
            let known = try store.cursor(named: name, of: profile.id)
            if let known, let contact, known.contactID != contact { throw ChatError.cursorElsewhere(name) }
            let chat = known?.contactID ?? contact
            let place = try self.place(of: move, known, profile, chat)
            if known == nil || place != known?.place {
                try store.setCursor(name, of: profile.id, in: chat, past: place, at: now)
            }
            if case .failed(let id) = move { try store.noteFailure(for: id, behind: name, of: profile.id) }
        }
        return .cursorMoved(profile, try cursor(name, of: profile))
    }

    func deleteCursor(_ name: String, of profile: OwnProfile) throws -> CoreResponse {
        _ = try agent
        let cursor = try cursor(name, of: profile)
        _ = try store.transaction { try store.removeCursor(name, of: profile.id) }
        return .cursorDeleted(profile, cursor)
    }

    /// The entries that a query means, with their conversations.
    func findItems(_ profile: OwnProfile, _ query: ItemQuery) throws -> CoreResponse {
        if let contact = query.contact {
            guard try self.contact(contact).profileID == profile.id else { throw ChatError.contactNotFound(contact) }
        }
        return .items(profile, try locate(try store.items(of: profile.id, query)))
    }

    private func place(
        of move: CursorMove, _ known: StoredCursor?, _ profile: OwnProfile, _ chat: ContactID?
    ) throws -> ChatItemID? {
        switch move {
        case .nowhere, .failed: return known?.place
        case .start: return nil
        case .end: return try store.newestItem(of: profile.id, in: chat)
        case .past(let id), .to(let id):
            // An entry that was removed since it was read still is a place.
            if let item = try store.item(id), try contact(item.contactID).profileID != profile.id {
                throw ChatError.itemNotFound(id)
            }
            guard try id.number <= store.highestItem() else { throw ChatError.itemNotFound(id) }
            guard case .past = move, let place = known?.place else { return id }
            return place.number > id.number ? place : id
        }
    }

    private func cursor(_ name: String, of profile: OwnProfile) throws -> Cursor {
        guard let cursor = try store.cursor(named: name, of: profile.id) else { throw ChatError.cursorNotFound(name) }
        return try describe(cursor, of: profile.id)
    }

    private func describe(_ cursor: StoredCursor, of id: ProfileID) throws -> Cursor {
        Cursor(
            name: cursor.name, contact: try cursor.contactID.map { try contact($0) }, place: cursor.place,
            movedAt: cursor.movedAt,
            waiting: try store.countItems(of: id, in: cursor.contactID, after: cursor.place),
            failure: cursor.failure)
    }
}
