import ByteCoding
package import CryptoCore
public import SMPProtocol

/// The decrypted and verified records of a short link.
public struct OpenedLink: Hashable, Sendable {
    /// The fixed record.
    public let fixed: FixedLinkRecord
    /// The user record.
    public let user: UserLinkRecord
    /// The full link. Its server is that of the short link, which may have other hosts since the fixed record was made.
    public let request: ConnectionRequest

    /// Decrypts and verifies the records that a relay returned for a link (smp-agent.md 6.6).
    ///
    /// The records must be boxes of the link's key. The fixed record must have the hash in the link and its own
    /// signature. The user record must be signed by the same key or by an owner. Both must be of the link's kind, and
    /// the full link must lead to the queue that the relay named, on that relay.
    ///
    /// - Parameters:
    ///   - link: The link after ``ShortLink/restored(from:)``.
    ///   - senderID: The sender id in LNK.
    /// - Throws: ``LinkError``.
    public init(_ blobs: LinkBlobs, of link: ShortLink, senderID: EntityID) throws(LinkError) {
        let isInvitation = link.kind == .invitation
        let opened = try OpenedLink(
            blobs, key: link.key, boxKey: isInvitation ? link.key.invitationBoxKey() : link.key.address().boxKey,
            isInvitation: isInvitation)
        self.init(
            fixed: opened.fixed, user: opened.user,
            request: try opened.fixed.request.leading(to: senderID, on: try link.usableServer()))
    }

    private init(fixed: FixedLinkRecord, user: UserLinkRecord, request: ConnectionRequest) {
        self.fixed = fixed
        self.user = user
        self.request = request
    }

    /// Decrypts records without checking their queue.
    package init(
        _ blobs: LinkBlobs, key: ShortLinkKey, boxKey: Secret, isInvitation: Bool
    ) throws(LinkError) {
        let signedFixed = try LinkBox.open(blobs.fixed, key: boxKey)
        let signedUser = try LinkBox.open(blobs.user, key: boxKey)
        guard ShortLinkKey(hashing: signedFixed.record) == key else { throw .otherRecord }
        let fixed: FixedLinkRecord
        let user: UserLinkRecord
        do throws(DecodeError) {
            fixed = try FixedLinkRecord(decoding: signedFixed.record)
            user = try UserLinkRecord(decoding: signedUser.record)
        } catch {
            throw .malformed(error)
        }
        guard signedFixed.isSigned(by: fixed.rootKey) else { throw .fixedSignature }
        guard user.isInvitation == isInvitation, fixed.request.isInvitation == isInvitation else { throw .otherKind }
        guard try user.signers(rootKey: fixed.rootKey).contains(where: signedUser.isSigned) else {
            throw .userSignature
        }
        self.init(fixed: fixed, user: user, request: fixed.request)
    }
}

extension UserLinkRecord {
    /// Returns the keys that may sign the record.
    ///
    /// - Throws: ``LinkError`` if the list of owners is invalid.
    func signers(rootKey: Ed25519.PublicKey) throws(LinkError) -> [Ed25519.PublicKey] {
        guard case .address(_, let record) = self else { return [rootKey] }
        try LinkOwner.check(record.owners, rootKey: rootKey)
        return [rootKey] + record.owners.map(\.key)
    }
}

extension ConnectionRequest {
    fileprivate var isInvitation: Bool {
        if case .invitation = self { true } else { false }
    }

    /// Returns the request with `server` as the relay of its queue, if the queue is `senderID` there.
    ///
    /// - Throws: ``LinkError/otherQueue`` or ``LinkError/otherServer``.
    fileprivate func leading(to senderID: EntityID, on server: ServerAddress) throws(LinkError) -> ConnectionRequest {
        let location = queues.first.location
        guard location.senderID == senderID else { throw .otherQueue }
        guard let host = server.hosts.first, location.server.hosts.contains(host) else { throw .otherServer }
        guard location.server != server else { return self }
        let moved = QueueAddress(
            versions: queues.first.versions,
            location: QueueLocation(
                server: server, senderID: senderID, dhKey: location.dhKey, mode: location.mode))
        let queues = ConnectionQueues(
            versions: queues.versions, queues: [moved] + queues.queues.dropFirst(), clientText: queues.clientText)
        return switch self {
        case .invitation(_, let offer): .invitation(queues, offer)
        case .contact: .contact(queues)
        }
    }
}
