public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// A short link of one's own: what it takes to put its records on a relay and to change them later.
///
/// A link that is made together with its queue begins as a ``NewLinkedQueue``. A link to a queue that exists is made of its
/// address and put there with ``setting(_:random:)``. All of this value has to be stored to change the records later.
public struct OwnedLink: Sendable {
    public let key: ShortLinkKey
    /// Signs what is behind the link: of the maker the root key, of another owner its own.
    public let signer: Ed25519.PrivateKey
    /// The key that made the link; the same as the signer's for the maker.
    public let rootKey: Ed25519.PublicKey
    /// The encrypted fixed record. A relay accepts a change only if this part comes with it byte for byte.
    public let fixedBlob: Bytes
    /// Nil for an invitation until the relay chose one.
    public let linkID: EntityID?
    /// Whether the link is an invitation; otherwise it is an address.
    public let isInvitation: Bool

    /// A stored link.
    public init(
        key: ShortLinkKey, signer: Ed25519.PrivateKey, rootKey: Ed25519.PublicKey, fixedBlob: Bytes, linkID: EntityID?,
        isInvitation: Bool
    ) {
        self.key = key
        self.signer = signer
        self.rootKey = rootKey
        self.fixedBlob = fixedBlob
        self.linkID = linkID
        self.isInvitation = isInvitation
    }

    /// A new link that stands for `request`.
    ///
    /// Fails if the fixed record is too large, as with several queues or a long text for the application.
    public init(
        to request: ConnectionRequest, entityID: Bytes? = nil, rootKey: Ed25519.PrivateKey, random: any RandomSource
    ) throws(LinkError) {
        let record = FixedLinkRecord(rootKey: rootKey.publicKey, request: request, entityID: entityID).encoded
        let key = ShortLinkKey(hashing: record)
        let isInvitation: Bool
        let linkID: EntityID?
        let boxKey: Secret
        switch request {
        case .invitation:
            (isInvitation, linkID, boxKey) = (true, nil, key.invitationBoxKey())
        case .contact:
            let address = key.address()
            (isInvitation, linkID, boxKey) = (false, address.linkID, address.boxKey)
        }
        let blob = try LinkBox.seal(
            LinkBox.SignedRecord(record, signer: rootKey), paddedTo: LinkBox.fixedSize, key: boxKey, random: random)
        self.init(
            key: key, signer: rootKey, rootKey: rootKey.publicKey, fixedBlob: blob, linkID: linkID,
            isInvitation: isInvitation)
    }

    /// The link with the id that the relay chose for an invitation, as IDS says.
    public func named(_ linkID: EntityID) -> OwnedLink {
        OwnedLink(
            key: key, signer: signer, rootKey: rootKey, fixedBlob: fixedBlob,
            linkID: isInvitation ? linkID : self.linkID, isInvitation: isInvitation)
    }

    /// The link to hand out, or nil for an invitation without an id. `kind` is that of an address.
    public func link(on server: ServerAddress, kind: AddressKind = .contact) -> ShortLink? {
        guard let linkID else { return nil }
        return ShortLink(target: isInvitation ? .invitation(linkID) : .address(kind), server: server, key: key)
    }

    // MARK: - Records

    /// The blobs for the relay. Every call encrypts anew.
    ///
    /// Fails if the record is not of the link's kind, has owners that nobody let in, is too large, or if the signer is
    /// neither the maker of the link nor one of the owners.
    public func blobs(showing record: UserLinkRecord, random: any RandomSource) throws(LinkError) -> LinkBlobs {
        guard record.isInvitation == isInvitation else { throw .otherKind }
        guard try record.signers(rootKey: rootKey).contains(signer.publicKey) else { throw .userSignature }
        let excess = record.content.count - record.contentLimit
        guard excess <= 0 else { throw .tooLarge(excess: excess) }
        let user = try LinkBox.seal(
            LinkBox.SignedRecord(record.encoded, signer: signer), paddedTo: LinkBox.userSize, key: boxKey,
            random: random)
        return LinkBlobs(fixed: fixedBlob, user: user)
    }

    /// The link in the parameters of NEW. The correlation id of that command has to be the one of `senderID`.
    public func newLink(
        senderID: EntityID, showing record: UserLinkRecord, random: any RandomSource
    ) throws(LinkError) -> NewLink {
        NewLink(
            linkID: isInvitation ? nil : linkID, senderID: senderID, blobs: try blobs(showing: record, random: random))
    }

    /// LSET, which changes what is behind the link, or puts it there for a queue that was made without one. Nil for an
    /// invitation without an id.
    public func setting(_ record: UserLinkRecord, random: any RandomSource) throws(LinkError) -> ClientCommand? {
        guard let linkID else { return nil }
        return .lset(linkID: linkID, try blobs(showing: record, random: random))
    }

    private var boxKey: Secret {
        isInvitation ? key.invitationBoxKey() : key.address().boxKey
    }
}
