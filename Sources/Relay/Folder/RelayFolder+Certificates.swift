public import ByteCoding
public import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO

/// The state of a relay's certificates.
public struct CertificateState: Sendable {
    /// The SHA-256 of the identity certificate, as in addresses.
    public let fingerprint: Bytes
    /// The validity of the online certificate.
    public let validity: ClosedRange<Timestamp>
    /// True if the private key of the identity is in the folder.
    public let hasIdentityKey: Bool

    /// Reads the certificates in a folder; the relay may be running.
    ///
    /// - Throws: ``RelayError``.
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
    /// The name of the new certificate and key during a renewal. Once the certificate has the name, the renewal will be
    /// completed.
    private static let renewed = ".renewed"

    /// Renews the online certificate and its key. Addresses stay unchanged.
    ///
    /// - Parameter identityKey: A file with the private key of the identity; nil for the one in the folder.
    /// - Throws: ``RelayError/identityKey`` for the key of another relay.
    public func renewCertificate(
        identityKey file: String? = nil, random: any RandomSource = SystemRandom()
    ) throws(RelayError) {
        if let file { _ = try RelayFolder.text(file) }
        let new: RelayCertificates
        do {
            let identityKey = try RelayFolder.identityKey(file ?? "\(path)/\(Name.identityKey)")
            let host = settings.hosts.first.map(\.description) ?? ""
            new = try certificates.renewed(host: host, identityKey: identityKey, random: random)
        } catch RelayError.system(let error) {
            throw .system(error)
        } catch {
            // The file is not a key, or its signature does not form a chain.
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

    /// Completes an interrupted renewal. The caller holds the lock.
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

    /// Deletes a relay with its keys, queues, messages and files, if no process serves it. Other files in the folder stay, and
    /// then the folder too.
    ///
    /// - Throws: ``RelayError``.
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
        // The settings are deleted last: as long as they exist, the deletion can be repeated.
        let names =
            [Name.database, Name.files].flatMap { [$0, $0 + "-wal", $0 + "-shm"] } + [Name.activity]
            + [Name.key, Name.certificate].map { $0 + renewed }
            + [
                Name.blocked, Name.identityKey, Name.identityCertificate, Name.key, Name.certificate, Name.settings,
                Name.lock,
            ]
        do throws(SystemError) {
            if Files.exists("\(path)/\(Name.chunks)") { try Files.removeTree("\(path)/\(Name.chunks)") }
            for name in names where Files.exists("\(path)/\(name)") { try Files.remove("\(path)/\(name)") }
            try Files.removeFolderIfEmpty(path)
        } catch {
            throw .system(error)
        }
        _ = consume lock
    }
}
