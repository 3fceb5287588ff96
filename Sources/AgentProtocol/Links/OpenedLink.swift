import ByteCoding
package import CryptoCore
public import SMPProtocol

/// The records behind a short link, decrypted and verified.
public struct OpenedLink: Hashable, Sendable {
    public let fixed: FixedLinkRecord
    public let user: UserLinkRecord
    /// The link to connect through. It names the server as the short link did, which may have got other hosts since the fixed
    /// record was made.
    public let request: ConnectionRequest

    /// Opens the blobs that a relay gave for a link.
    ///
    /// What is checked: the blobs are boxes of the link's key, the fixed record is the one that the link was made for and
    /// carries its own signature, the other record is signed by the same key or by an owner, both are of the link's kind,
    /// and the full link leads to the queue that the relay named, on the relay that was asked.
    ///
    /// - Parameters:
    ///   - link: The link as it was used to find the relay, ``ShortLink/restored(from:)``.
    ///   - senderID: The sender id in LNK.
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

    /// Opens blobs without looking at the queue that they belong to.
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
    /// Who may sign the record. Fails if its list of owners is not in order.
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

    /// The request with `server` as the address of its queue, if it is about the queue `senderID` there.
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
