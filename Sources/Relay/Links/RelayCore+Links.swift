import SMPProtocol

// LSET, LDEL, LKEY, LGET: the two encrypted blobs that a short link leads to, from version 15.

extension RelayCore {
    /// LSET: gives the queue a link, or replaces the user's blob of the one it has.
    func setLink(_ linkID: EntityID, _ blobs: LinkBlobs, _ queue: Queue) throws -> RelayMessage {
        // An invitation that somebody has accepted is not an invitation any more.
        guard !queue.isSecuredForMessages, !linkID.isEmpty else { throw ProtocolError.authorization }
        if queue.linkID != nil {
            guard queue.linkID == linkID, try queues.blobs(of: queue)?.fixed == blobs.fixed else {
                throw ProtocolError.authorization
            }
        } else {
            // SECURITY: the link of another queue must not be taken over.
            guard try queues.queue(linkID: linkID) == nil else { throw ProtocolError.authorization }
        }
        try requireRoom(blobs.fixed.count + blobs.user.count + Cost.key)
        try requireSpace(blobs.fixed.count + blobs.user.count + Cost.key)
        try queues.setLink((linkID, blobs), of: queue)
        return .ok
    }

    /// LDEL: removes the link, if there is one.
    func deleteLink(_ queue: Queue) throws -> RelayMessage {
        guard queue.linkID != nil else { return .ok }
        try requireSpace(Cost.key, for: .removal)
        try queues.setLink(nil, of: queue)
        return .ok
    }

    /// LKEY: secures the queue of an invitation link and returns its blobs.
    func secureByLink(with key: AuthorizationKey, _ request: Request) throws -> RelayMessage {
        let queue = try securable(queues.queue(linkID: request.entityID), with: key, request)
        _ = try secure(queue, with: key)
        return try blobs(of: queue)
    }

    /// LGET: returns the blobs of a contact link to everybody who knows its id.
    func link(_ request: Request) throws -> RelayMessage {
        guard let queue = try queues.queue(linkID: request.entityID), queue.isContact else {
            throw ProtocolError.authorization
        }
        try queues.touch(queue, today: today)
        return try blobs(of: queue)
    }

    private func blobs(of queue: Queue) throws -> RelayMessage {
        guard let blobs = try queues.blobs(of: queue) else { throw ProtocolError.authorization }
        return .lnk(senderID: queue.senderID, blobs)
    }
}
