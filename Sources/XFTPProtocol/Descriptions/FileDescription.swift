public import ByteCoding
import CryptoCore
public import SMPProtocol

/// Everything that a party needs to get or to manage a file on relays (smp-agent.md 10.6).
///
/// SECURITY: a description contains the keys of the file: it is as secret as the file.
public struct FileDescription: Sendable {
    /// The party that a description is for.
    public enum Party: String, Hashable, Sendable {
        /// A recipient, who downloads the file.
        case recipient
        /// The sender, who can delete the file.
        case sender
    }

    /// The real file behind a redirect: the described file contains the description of another file.
    public struct Redirect: Hashable, Sendable {
        /// The size of the other encrypted file in bytes.
        public let size: Int64
        /// The SHA-512 of the other encrypted file, 64 bytes.
        public let digest: Bytes

        /// Creates a redirect from its parts.
        public init(size: Int64, digest: Bytes) {
            self.size = size
            self.digest = digest
        }
    }

    /// One chunk of the file.
    public struct Chunk: Sendable {
        /// The number of the chunk, from 1.
        public let number: Int
        /// The size of the chunk in bytes.
        public let size: UInt32
        /// The SHA-256 of the chunk, 32 bytes.
        public let digest: Bytes
        /// The copies of the chunk, at least one, in order of preference.
        public let replicas: [Replica]

        /// Creates a chunk from its parts.
        public init(number: Int, size: UInt32, digest: Bytes, replicas: [Replica]) {
            self.number = number
            self.size = size
            self.digest = digest
            self.replicas = replicas
        }
    }

    /// A copy of a chunk on a relay.
    public struct Replica: Sendable {
        /// The relay.
        public let server: ServerAddress
        /// The id of the party of this description.
        public let id: EntityID
        /// The private key of the party.
        public let key: AuthorizationPrivateKey

        /// Creates a replica from its parts.
        public init(server: ServerAddress, id: EntityID, key: AuthorizationPrivateKey) {
            self.server = server
            self.id = id
            self.key = key
        }
    }

    /// The party that the description is for.
    public let party: Party
    /// The size of the encrypted file in bytes, the sum of its chunks.
    public let size: Int64
    /// The SHA-512 of the encrypted file, 64 bytes.
    public let digest: Bytes
    /// The key and nonce of the file.
    public let key: FileEncryptionKey
    /// The usual size of a chunk in bytes.
    public let chunkSize: UInt32
    /// The chunks in order.
    public private(set) var chunks: [Chunk]
    /// The real file, if this file is a description.
    public let redirect: Redirect?

    /// Creates a description.
    ///
    /// - Throws: ``FileDescriptionError`` if a rule of descriptions is violated.
    public init(
        party: Party, size: Int64, digest: Bytes, key: FileEncryptionKey, chunkSize: UInt32, chunks: [Chunk],
        redirect: Redirect? = nil
    ) throws(FileDescriptionError) {
        guard digest.count == SHA512.size else { throw .digest }
        guard chunkSize > 0, size > 0, size <= XFTP.hardFileLimit else { throw .size }
        guard chunks.map(\.number) == Array(1...max(1, chunks.count)) else { throw .chunkNumbers }
        var sum: Int64 = 0
        for chunk in chunks {
            guard chunk.size > 0 else { throw .size }
            guard chunk.digest.count == SHA256.size else { throw .digest }
            guard !chunk.replicas.isEmpty else { throw .chunkNumbers }
            sum += Int64(chunk.size)
        }
        guard sum == size else { throw .size }
        if let redirect {
            guard redirect.digest.count == SHA512.size else { throw .digest }
            guard redirect.size > 0, redirect.size <= XFTP.hardFileLimit else { throw .size }
        }
        self.party = party
        self.size = size
        self.digest = digest
        self.key = key
        self.chunkSize = chunkSize
        self.chunks = chunks
        self.redirect = redirect
    }

    /// The relays of the file, each once, in the order of their first chunk.
    public var servers: [ServerAddress] {
        var known: Set<ServerAddress> = [], servers: [ServerAddress] = []
        for replica in chunks.flatMap(\.replicas) where known.insert(replica.server).inserted {
            servers.append(replica.server)
        }
        return servers
    }

    /// Returns the description with another address for each relay.
    public func replacingServers(_ address: (ServerAddress) -> ServerAddress) -> FileDescription {
        var replaced = self
        replaced.chunks = chunks.map { chunk in
            let replicas = chunk.replicas.map { Replica(server: address($0.server), id: $0.id, key: $0.key) }
            return Chunk(number: chunk.number, size: chunk.size, digest: chunk.digest, replicas: replicas)
        }
        return replaced
    }
}

/// A description that breaks a rule. It contains nothing of the description.
public enum FileDescriptionError: Error, Hashable, Sendable {
    /// The text is not a description, or a field is missing, doubled or malformed. The value names the part.
    case syntax(StaticText)
    /// A size is zero, above ``XFTP/hardFileLimit``, or not the sum of its parts.
    case size
    /// A digest has a wrong length, is missing, or differs between the replicas of a chunk.
    case digest
    /// A chunk is missing, doubled, or has no replica.
    case chunkNumbers
    /// The party is another one than expected.
    case party
}
