public import ByteCoding
public import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO

/// What a relay shows for itself.
public struct CertificateState: Sendable {
    /// The SHA-256 of the identity certificate: what addresses hold.
    public let fingerprint: Bytes
    /// From when until when the online certificate counts.
    public let validity: ClosedRange<Timestamp>
    /// Whether the key of the identity is in the folder, too.
    public let hasIdentityKey: Bool

    /// Looks at the certificates in a folder, whether the relay runs or not.
    public init(of path: String) throws(RelayError) {
        let fingerprint = try RelayFolder.settings(in: path).fingerprint
        let certificates = try RelayFolder.certificates(in: path)
        guard certificates.fingerprint == fingerprint else { throw .fingerprint }
        self.fingerprint = fingerprint
        do throws(CryptoError) {
            let seconds = try certificates.validity()
            validity = Timestamp(seconds: seconds.lowerBound)...Timestamp(seconds: seconds.upperBound)
        } catch {
            throw .cryptography
        }
        hasIdentityKey = Files.exists("\(path)/\(RelayFolder.Name.identityKey)")
    }
}

extension RelayFolder {
    /// The new certificate and key until they are in place. When the certificate is there, the renewal is decided.
    private static let renewed = ".renewed"

    /// Gives the relay a new online certificate, and a new key for it. Addresses stay as they are.
    ///
    /// - Parameter identityKey: A file with the key of the identity; nil for the one in the folder.
    /// - Throws: ``RelayError/identityKey`` if it is not the key of this relay.
    public func renewCertificate(
        identityKey file: String? = nil, random: any RandomSource = SystemRandom()
    ) throws(RelayError) {
        if let file { _ = try RelayFolder.text(file) }
        let new: RelayCertificates
        do {
            let identityKey = try RelayFolder.privateKey(file ?? "\(path)/\(Name.identityKey)")
            let host = settings.hosts.first.map(\.description) ?? ""
            new = try certificates.renewed(host: host, identityKey: identityKey, random: random)
        } catch RelayError.system(let error) {
            throw .system(error)
        } catch {
            // It is no key, or what it has signed is no chain.
            throw .identityKey
        }
        do throws(SystemError) {
            let files = [
                (Name.key, PEM.encode(new.key.der, label: "PRIVATE KEY")),
                (Name.certificate, PEM.encode(new.chain.certificates[0], label: "CERTIFICATE")),
            ]
            for (name, text) in files {
                try Files.replace("\(path)/\(name)\(RelayFolder.renewed)", Bytes(text.utf8))
            }
        } catch {
            throw .system(error)
        }
        try RelayFolder.finishRenewal(in: path)
    }

    /// Goes on with a renewal that was cut off. The caller holds the lock.
    static func finishRenewal(in path: String) throws(RelayError) {
        let (key, certificate) = ("\(path)/\(Name.key)", "\(path)/\(Name.certificate)")
        do throws(SystemError) {
            let isDecided = Files.exists(certificate + renewed)
            if Files.exists(key + renewed) {
                if isDecided { try Files.move(key + renewed, to: key) } else { try Files.remove(key + renewed) }
            }
            if isDecided { try Files.move(certificate + renewed, to: certificate) }
        } catch {
            throw .system(error)
        }
    }

    /// Removes a relay with its keys, queues and messages; nobody serves it. Other files in the folder stay, and so does the
    /// folder then.
    public static func delete(at path: String) throws(RelayError) {
        guard Files.exists("\(path)/\(Name.settings)") else { throw .missing }
        let lock: FileLock
        do throws(FileLock.Failure) {
            lock = try FileLock("\(path)/\(Name.lock)", note: [])
        } catch {
            switch error {
            case .held(let note): throw .running(note: note)
            case .system(let error): throw .system(error)
            }
        }
        // The settings go after the rest: as long as they are there, this can be done again.
        let names =
            [Name.database, Name.database + "-wal", Name.database + "-shm", Name.activity]
            + [Name.key, Name.certificate].map { $0 + renewed }
            + [Name.identityKey, Name.identityCertificate, Name.key, Name.certificate, Name.settings, Name.lock]
        do throws(SystemError) {
            for name in names where Files.exists("\(path)/\(name)") { try Files.remove("\(path)/\(name)") }
            try Files.removeFolderIfEmpty(path)
        } catch {
            throw .system(error)
        }
        _ = consume lock
    }
}
