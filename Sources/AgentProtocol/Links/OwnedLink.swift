public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// An own short link: the keys that put its records on a relay and change them later.
///
/// A link that is made together with its queue begins as a ``NewLinkedQueue``. A link to an existing queue is made from
/// its address and put on the relay with ``setting(_:random:)``. Store the whole value to change the records later.
public struct OwnedLink: Sendable {
    /// The key of the link.
    public let key: ShortLinkKey
    /// The key that signs the user record: the root key of the maker, or the key of another owner.
    public let signer: Ed25519.PrivateKey
    /// The root key of the link; the signer's key for the maker.
    public let rootKey: Ed25519.PublicKey
    /// The encrypted fixed record. A relay accepts a change only with the same fixed record, byte for byte.
    public let fixedBlob: Bytes
    /// The id of the records; nil for an invitation until the relay chose one.
    public let linkID: EntityID?
    /// True if the link is an invitation, false for an address.
    public let isInvitation: Bool

    /// Creates a link from stored values.
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

    /// Creates a new link to `request`.
    ///
    /// - Throws: ``LinkError/tooLarge(excess:)`` if the fixed record is too large, as with several queues or a long
    ///   text for the application.
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

    /// Returns the link with the id that the relay chose for an invitation, from IDS.
    public func named(_ linkID: EntityID) -> OwnedLink {
        OwnedLink(
            key: key, signer: signer, rootKey: rootKey, fixedBlob: fixedBlob,
            linkID: isInvitation ? linkID : self.linkID, isInvitation: isInvitation)
    }

    /// Returns the short link, or nil for an invitation without an id. `kind` is that of an address.
    public func link(on server: ServerAddress, kind: AddressKind = .contact) -> ShortLink? {
        guard let linkID else { return nil }
        return ShortLink(target: isInvitation ? .invitation(linkID) : .address(kind), server: server, key: key)
    }

    // MARK: - Records

    /// Encrypts and signs the records for the relay. Every call uses new nonces.
    ///
    /// - Throws: ``LinkError`` if the record is of another kind or too large, if its owners are invalid, or if the
    ///   signer is neither the maker of the link nor an owner.
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

    /// Returns the link in the parameters of NEW. The correlation id of NEW must be the one of `senderID`.
    ///
    /// - Throws: As ``blobs(showing:random:)``.
    public func newLink(
        senderID: EntityID, showing record: UserLinkRecord, random: any RandomSource
    ) throws(LinkError) -> NewLink {
        NewLink(
            linkID: isInvitation ? nil : linkID, senderID: senderID, blobs: try blobs(showing: record, random: random))
    }

    /// Returns the LSET that creates or changes the records, or nil for an invitation without an id.
    ///
    /// - Throws: As ``blobs(showing:random:)``.
    public func setting(_ record: UserLinkRecord, random: any RandomSource) throws(LinkError) -> ClientCommand? {
        guard let linkID else { return nil }
        return .lset(linkID: linkID, try blobs(showing: record, random: random))
    }

    private var boxKey: Secret {
        isInvitation ? key.invitationBoxKey() : key.address().boxKey
    }
}
