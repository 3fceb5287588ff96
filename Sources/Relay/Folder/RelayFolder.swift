import ByteCoding
public import CryptoCore
import Glibc
import SMPProtocol
public import SecureTransport
import Store
import SystemIO
import XFTPProtocol

/// The folder of a relay.
///
/// ```
/// ca.crt  ca.key          the identity certificate and its key, which may be kept elsewhere
/// server.crt  server.key  the online certificate and its key
/// relay.conf              the settings, and the fingerprint of the identity
/// relay.db                queues and messages (with -wal and -shm beside it)
/// files.db                the chunks of files (with -wal and -shm beside it), if the relay serves files
/// files/                  the content of these chunks
/// relay.blocked           the blocked queues, links and chunks (``BlockedEntities``), if there were any
/// relay.stats             the activity record (``RelayActivity``)
/// relay.lock              held by the process that serves the folder
/// ```
///
/// All files are readable by their owner only.
public final class RelayFolder {
    /// The settings in effect.
    public internal(set) var settings: RelaySettings
    /// The blocked queues, links and file chunks in effect.
    var blocked: BlockedEntities
    let path: String
    /// The certificates.
    public let certificates: RelayCertificates
    let databasePath: String
    let activityPath: String
    var blockedPath: String { "\(path)/\(Name.blocked)" }
    private let lock: FileLock

    enum Name {
        static let identityCertificate = "ca.crt"
        static let identityKey = "ca.key"
        static let certificate = "server.crt"
        static let key = "server.key"
        static let settings = "relay.conf"
        static let database = "relay.db"
        static let files = "files.db"
        static let chunks = "files"
        static let activity = "relay.stats"
        static let blocked = "relay.blocked"
        static let lock = "relay.lock"
        static let all = [identityCertificate, identityKey, certificate, key, settings, database, files]
    }

    /// The largest accepted certificate, key or settings file in bytes.
    private static let fileLimit = 65536

    /// Creates a relay in a folder, which is created if needed.
    ///
    /// - Parameter identity: A folder with the identity of a former relay, which this one continues: `ca.crt` and
    ///   `ca.key`. Nil makes a new identity.
    /// - Returns: The addresses for clients.
    /// - Throws: ``RelayError``.
    @discardableResult
    public static func create(
        at path: String, settings: RelaySettings, identity: String? = nil, random: any RandomSource = SystemRandom()
    ) throws(RelayError) -> RelayAddresses {
        let former = try identity.map { folder throws(RelayError) in
            (
                certificate: try der("\(folder)/\(Name.identityCertificate)", label: "CERTIFICATE"),
                key: try RelayFolder.identityKey("\(folder)/\(Name.identityKey)")
            )
        }
        do throws(SystemError) {
            try Files.createFolder(path)
        } catch {
            throw .system(error)
        }
        guard !Name.all.contains(where: { Files.exists("\(path)/\($0)") }) else { throw .exists }
        let certificates: RelayCertificates
        let identityKey: IdentityKey
        let host = settings.hosts.first.map(\.description) ?? ""
        if let former {
            do throws(IdentityError) {
                identityKey = former.key
                certificates = try RelayCertificates.generate(
                    host: host, identity: former.certificate, identityKey: former.key, random: random)
            } catch {
                throw .certificates(error)
            }
        } else {
            do throws(CryptoError) {
                (certificates, identityKey) = try RelayCertificates.generate(host: host, random: random)
            } catch {
                throw .cryptography
            }
        }
        let fingerprint = "fingerprint = \(Base64URL.encode(certificates.fingerprint))\n"
        do throws(SystemError) {
            func write(_ name: String, _ text: String) throws(SystemError) {
                try Files.create("\(path)/\(name)", Bytes(text.utf8))
            }
            let chain = certificates.chain.certificates
            try write(Name.identityKey, PEM.encode(identityKey.der, label: "PRIVATE KEY"))
            try write(Name.identityCertificate, PEM.encode(chain[1], label: "CERTIFICATE"))
            try write(Name.key, PEM.encode(certificates.key.der, label: "PRIVATE KEY"))
            try write(Name.certificate, PEM.encode(chain[0], label: "CERTIFICATE"))
            // The settings come last: a folder with settings is complete.
            try write(
                Name.settings,
                settings.text + "\n# The identity of the relay, which its address holds. Do not change this line.\n"
                    + fingerprint)
            try Files.synchronizeFolder(of: "\(path)/\(Name.settings)")
        } catch {
            throw .system(error)
        }
        return RelayAddresses(
            settings, port: settings.port, filePort: settings.filePort, fingerprint: certificates.fingerprint)
    }

    /// Returns true if a folder contains a relay.
    public static func exists(at path: String) -> Bool { Files.exists("\(path)/\(Name.settings)") }

    /// Opens and locks a relay, and checks that its certificates, keys and fingerprint belong together.
    ///
    /// - Throws: ``RelayError``.
    public init(opening path: String) throws(RelayError) {
        guard Files.exists("\(path)/\(Name.settings)") else { throw .missing }
        do throws(FileLock.Failure) {
            lock = try FileLock("\(path)/\(Name.lock)", note: Bytes("\(getpid())\n".utf8))
        } catch {
            switch error {
            case .held(let note): throw .running(note: note)
            case .system(let error): throw .system(error)
            }
        }
        let (settings, fingerprint) = try RelayFolder.settings(in: path)
        try RelayFolder.finishRenewal(in: path)
        self.path = path
        self.settings = settings
        certificates = try RelayFolder.certificates(in: path)
        guard certificates.fingerprint == fingerprint else { throw .fingerprint }
        blocked = try RelayFolder.blocked(in: path)
        databasePath = "\(path)/\(Name.database)"
        activityPath = "\(path)/\(Name.activity)"
    }

    /// Returns the settings and the fingerprint of a relay, which may be running.
    static func settings(in path: String) throws(RelayError) -> (settings: RelaySettings, fingerprint: Bytes) {
        guard Files.exists("\(path)/\(Name.settings)") else { throw .missing }
        return try RelaySettings.read(try text("\(path)/\(Name.settings)"))
    }

    static func certificates(in path: String) throws(RelayError) -> RelayCertificates {
        let identity = try der("\(path)/\(Name.identityCertificate)", label: "CERTIFICATE")
        let leaf = try der("\(path)/\(Name.certificate)", label: "CERTIFICATE")
        let key = try privateKey("\(path)/\(Name.key)")
        // The identity key signs online certificates and is not needed for serving.
        let hasIdentityKey = Files.exists("\(path)/\(Name.identityKey)")
        let knownKey = hasIdentityKey ? try identityKey("\(path)/\(Name.identityKey)") : nil
        do throws(IdentityError) {
            let certificates = try RelayCertificates(chain: CertificateChain([leaf, identity]), key: key)
            if let knownKey {
                guard certificates.isIdentityKey(knownKey) else { throw .keyType }
            }
            return certificates
        } catch {
            throw .certificates(error)
        }
    }

    /// Reads the private key of an online certificate. A missing or malformed file counts as a key of another kind.
    static func privateKey(_ path: String) throws(RelayError) -> Ed25519.PrivateKey {
        guard case .ed25519(let key) = try identityKey(path) else { throw .certificates(.keyType) }
        return key
    }

    /// Reads the private key of an identity certificate. A missing or malformed file counts as a key of another kind.
    static func identityKey(_ path: String) throws(RelayError) -> IdentityKey {
        guard Files.exists(path) else { throw .certificates(.keyType) }
        let text = try text(path)
        guard let bytes = try? PEM.decode(text, label: "PRIVATE KEY"), let key = try? IdentityKey(der: bytes) else {
            throw .certificates(.keyType)
        }
        return key
    }

    private static func der(_ path: String, label: StaticString) throws(RelayError) -> Bytes {
        let text = try text(path)
        do throws(DecodeError) {
            return try PEM.decode(text, label: label)
        } catch {
            throw .certificateFile
        }
    }

    static func text(_ path: String) throws(RelayError) -> String {
        do throws(SystemError) {
            return String(decoding: try Files.read(path, limit: fileLimit), as: UTF8.self)
        } catch {
            throw .system(error)
        }
    }
}

extension RelaySettings {
    /// Returns the address of a relay with these settings, without the port if it is the default.
    func address(port: UInt16, fingerprint: Bytes) -> ServerAddress {
        ServerAddress(hosts: hosts, port: port == SMP.defaultPort ? nil : port, fingerprint: fingerprint)
    }

    /// Returns the address of a file relay with these settings, without the port if it is the default.
    func fileAddress(port: UInt16, fingerprint: Bytes) -> ServerAddress {
        ServerAddress(hosts: hosts, port: port == XFTP.defaultPort ? nil : port, fingerprint: fingerprint)
    }
}

extension RelayFolder {
    /// Returns the rules of this relay's core.
    func rules(_ limits: RelayLimits) -> RelayRules {
        var rules = RelayRules()
        rules.acceptsNewQueues = settings.acceptsNewQueues
        rules.password = settings.password
        rules.quota = settings.quota
        rules.messageLifetime = .seconds(settings.messageDays * 86_400)
        rules.room = limits.window
        rules.isProxy = settings.isProxy
        rules.proxyRequests = limits.proxy.requestsPerClient
        rules.queuesPerConnection = limits.queuesPerConnection
        rules.queueLimit = settings.queueLimit
        rules.messageLimit = settings.messageLimit
        rules.sizeLimit = settings.storeMegabytes == 0 ? .max : settings.storeMegabytes << 20
        rules.pageLimit = limits.pageLimit
        rules.reserve = limits.reserve
        rules.freeSpace = limits.freeSpace
        rules.resolvesNames = settings.resolver != nil
        rules.blocked = blocked
        return rules
    }

    /// Opens the core of this relay with its database.
    func openCore(
        _ rules: RelayRules, clock: @escaping () -> Timestamp, expiryClock: (() -> Timestamp)? = nil,
        random: any RandomSource
    ) throws(RelayError) -> RelayCore {
        do {
            return try RelayCore(
                databasePath, durability: settings.durability, exists: Files.exists(databasePath), rules: rules,
                clock: clock, expiryClock: expiryClock, random: random)
        } catch {
            throw .store(error as? StoreError ?? StoreError(.misuse))
        }
    }
}

extension RelayFolder {
    /// Returns the rules of this relay for files.
    func fileRules(_ limits: RelayLimits) -> FileRules {
        FileRules(
            acceptsNewFiles: settings.acceptsNewFiles, password: settings.password,
            quota: settings.fileMegabytes << 20, hours: Int64(settings.fileHours), reserve: limits.reserve,
            blocked: blocked)
    }

    /// The certificate for browsers; nil if there is none.
    ///
    /// - Throws: ``RelayError/webCertificate(_:)`` if a file cannot be read or one of two is not set.
    func webCertificate() throws(RelayError) -> WebCertificate? {
        guard settings.webCertificate != nil || settings.webKey != nil else { return nil }
        guard let chain = settings.webCertificate, let key = settings.webKey else { throw .webCertificate(nil) }
        let paths = [chain, key].map { $0.hasPrefix("/") ? $0 : "\(path)/\($0)" }
        do throws(SystemError) {
            for path in paths { _ = try FileDescriptor(reading: path) }
        } catch {
            throw .webCertificate(error)
        }
        return WebCertificate(chain: paths[0], key: paths[1])
    }

    /// Opens the core for files with its store.
    func openFiles(
        _ rules: FileRules, _ limits: RelayLimits, clock: @escaping () -> Timestamp, random: any RandomSource
    ) throws(RelayError) -> FileCore {
        // The folder may be a disk of its own.
        let path = path, freeSpace = limits.freeSpace, chunks = "\(path)/\(Name.chunks)"
        let reserve = StorageReserve(size: rules.reserve) {
            freeSpace?() ?? (try? Files.freeSpace(at: chunks)) ?? .max
        }
        do {
            let store = try FileStore(
                path, exists: Files.exists("\(path)/\(Name.files)"), durability: settings.durability, reserve: reserve,
                checkpointPages: RelayRules().checkpointPages)
            return FileCore(store, rules: rules, clock: clock, random: random)
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .store(error as? StoreError ?? StoreError(.misuse))
        }
    }
}
