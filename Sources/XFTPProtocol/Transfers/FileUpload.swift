public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// The upload of an encrypted file as a value: what relays have of each chunk, and the next step.
///
/// Every step is stored before the next one, so an interrupted upload resumes at the chunk.
public struct FileUpload: Sendable {
    /// The largest number of keys in a command, as in the reference implementation.
    public static let keysPerCommand = 200

    /// One chunk of the file.
    public struct Chunk: Sendable {
        /// The number of the chunk, from 1.
        public let number: Int
        /// The first byte of the chunk in the encrypted file.
        public let start: Int64
        /// The size of the chunk in bytes.
        public let size: UInt32
        /// The SHA-256 of the chunk.
        public let digest: Bytes
        /// The key of the sender.
        public let senderKey: AuthorizationPrivateKey
        /// The keys of the recipients, one for each description.
        public let recipientKeys: [AuthorizationPrivateKey]
        /// The ids of the chunk on its relay, once it was created there.
        public var registration: Registration?
        /// True if the relay has the whole chunk.
        public var isUploaded = false

        /// Creates a chunk that no relay has.
        public init(
            number: Int, start: Int64, size: UInt32, digest: Bytes, senderKey: AuthorizationPrivateKey,
            recipientKeys: [AuthorizationPrivateKey]
        ) {
            self.number = number
            self.start = start
            self.size = size
            self.digest = digest
            self.senderKey = senderKey
            self.recipientKeys = recipientKeys
        }

        /// The next step of the chunk.
        public var step: Step {
            guard let registration else {
                return .create(recipientKeys.prefix(FileUpload.keysPerCommand).map(\.publicKey))
            }
            let missing = recipientKeys.dropFirst(registration.recipientIDs.count).prefix(FileUpload.keysPerCommand)
            if !missing.isEmpty { return .addRecipients(missing.map(\.publicKey)) }
            return isUploaded ? .done : .put
        }
    }

    /// The ids of a chunk on a relay.
    public struct Registration: Hashable, Sendable {
        /// The relay.
        public let server: ServerAddress
        /// The id of the sender.
        public let senderID: EntityID
        /// The ids of the recipients, in the order of their keys.
        public var recipientIDs: [EntityID]

        /// Creates a registration from its parts.
        public init(server: ServerAddress, senderID: EntityID, recipientIDs: [EntityID]) {
            self.server = server
            self.senderID = senderID
            self.recipientIDs = recipientIDs
        }
    }

    /// The next step of a chunk.
    public enum Step: Hashable, Sendable {
        /// Create the chunk on a relay with the first keys.
        case create([AuthorizationKey])
        /// Add further recipients.
        case addRecipients([AuthorizationKey])
        /// Upload the chunk.
        case put
        /// Nothing is left to do.
        case done
    }

    /// The key and nonce of the file.
    public let key: FileEncryptionKey
    /// The SHA-512 of the encrypted file.
    public let digest: Bytes
    /// The real file, if this file is a description.
    public let redirect: FileDescription.Redirect?
    /// The chunks in order.
    public var chunks: [Chunk]

    /// Creates an upload from its parts.
    public init(
        key: FileEncryptionKey, digest: Bytes, chunks: [Chunk], redirect: FileDescription.Redirect? = nil
    ) {
        self.key = key
        self.digest = digest
        self.chunks = chunks
        self.redirect = redirect
    }

    /// Plans the upload of an encrypted file with new keys.
    ///
    /// - Parameters:
    ///   - digest: The SHA-512 of the encrypted file.
    ///   - chunkDigests: The SHA-256 of each chunk of the plan.
    ///   - recipients: The number of descriptions, at least one.
    public init(
        key: FileEncryptionKey, digest: Bytes, plan: ChunkPlan, chunkDigests: [Bytes], recipients: Int,
        redirect: FileDescription.Redirect? = nil, random: any RandomSource
    ) {
        precondition(plan.sizes.count == chunkDigests.count, "every chunk has a digest")
        var chunks: [Chunk] = []
        var start: Int64 = 0
        for (size, digest) in zip(plan.sizes, chunkDigests) {
            let keys = (0..<max(1, recipients)).map { _ in FileUpload.key(random) }
            chunks.append(
                Chunk(
                    number: chunks.count + 1, start: start, size: size, digest: digest,
                    senderKey: FileUpload.key(random), recipientKeys: keys))
            start += Int64(size)
        }
        self.init(key: key, digest: digest, chunks: chunks, redirect: redirect)
    }

    /// Creates the upload of a file that is only to be deleted, from the description of its sender; nil for another
    /// description, or keys that are not those of this program (Ed25519).
    public init?(deleting description: FileDescription) {
        guard description.party == .sender else { return nil }
        var chunks: [Chunk] = []
        var start: Int64 = 0
        for described in description.chunks {
            for replica in described.replicas {
                guard case .ed25519 = replica.key else { return nil }
                var chunk = Chunk(
                    number: chunks.count + 1, start: start, size: described.size, digest: described.digest,
                    senderKey: replica.key, recipientKeys: [])
                chunk.registration = Registration(server: replica.server, senderID: replica.id, recipientIDs: [])
                chunk.isUploaded = true
                chunks.append(chunk)
            }
            start += Int64(described.size)
        }
        self.init(key: description.key, digest: description.digest, chunks: chunks)
    }

    private static func key(_ random: any RandomSource) -> AuthorizationPrivateKey {
        .ed25519(Ed25519.PrivateKey(random: random))
    }

    /// The size of the encrypted file in bytes.
    public var size: Int64 { chunks.reduce(0) { $0 + Int64($1.size) } }

    /// The number of bytes that relays have.
    public var uploadedSize: Int64 { chunks.reduce(0) { $0 + ($1.isUploaded ? Int64($1.size) : 0) } }

    /// True if relays have the whole file, and all recipients are registered.
    public var isComplete: Bool { chunks.allSatisfy { $0.step == .done } }

    /// Returns the description of each recipient.
    ///
    /// - Throws: ``FileDescriptionError`` if the upload is not complete.
    public func recipientDescriptions() throws(FileDescriptionError) -> [FileDescription] {
        let count = chunks.map(\.recipientKeys.count).min() ?? 0
        var descriptions: [FileDescription] = []
        for index in 0..<count {
            descriptions.append(
                try description(.recipient) { chunk, registration in
                    guard registration.recipientIDs.indices.contains(index) else { return nil }
                    return (registration.recipientIDs[index], chunk.recipientKeys[index])
                })
        }
        return descriptions
    }

    /// Returns the description with which the sender can delete the file.
    ///
    /// - Throws: ``FileDescriptionError`` if the upload is not complete.
    public func senderDescription() throws(FileDescriptionError) -> FileDescription {
        try description(.sender) { chunk, registration in (registration.senderID, chunk.senderKey) }
    }

    private func description(
        _ party: FileDescription.Party,
        _ access: (Chunk, Registration) -> (EntityID, AuthorizationPrivateKey)?
    ) throws(FileDescriptionError) -> FileDescription {
        let described = chunks.map { chunk in
            let replica = chunk.registration.flatMap { registration in
                access(chunk, registration).map {
                    FileDescription.Replica(server: registration.server, id: $0.0, key: $0.1)
                }
            }
            return FileDescription.Chunk(
                number: chunk.number, size: chunk.size, digest: chunk.digest, replicas: replica.map { [$0] } ?? [])
        }
        return try FileDescription(
            party: party, size: size, digest: digest, key: key, chunkSize: chunks.map(\.size).max() ?? 0,
            chunks: described, redirect: redirect)
    }
}
