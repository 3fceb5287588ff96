import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// A new relay with the identity of a former one, made by another program.
@Suite struct FormerIdentityTests {
    /// The certificate and the Ed448 key that `xftp-server init` of simplexmq 7.0 made, and its fingerprint.
    private let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBtjCCATagAwIBAgIUWRN+P10vgXQfMik6W4NPvXkmeGIwBQYDK2VxMCoxFjAU
        BgNVBAMMDVNNUCBzZXJ2ZXIgQ0ExEDAOBgNVBAoMB1NpbXBsZVgwIBcNMjYxMTI3
        MjEwMDE2WhgPNDc2NDEwMjMyMTAwMTZaMCoxFjAUBgNVBAMMDVNNUCBzZXJ2ZXIg
        Q0ExEDAOBgNVBAoMB1NpbXBsZVgwQzAFBgMrZXEDOgDHkaqcAUTeAqb+V4G2jMmW
        S34+dVl25h8PPDlefn62u5Kf/cUk0JpWr0Dj5xHfkazpf2rhNK+0XoCjUzBRMB0G
        A1UdDgQWBBTh2LE+sn8UUbgUGfd+BXEmEPSY/DAfBgNVHSMEGDAWgBTh2LE+sn8U
        UbgUGfd+BXEmEPSY/DAPBgNVHRMBAf8EBTADAQH/MAUGAytlcQNzAKY1BmXl84ZI
        A/Nlvh4Y8WJrMNJj3WfKsPNN1qyzbmrm2GYf09gO6APcOQPw3a7hnrZsjykciiha
        AENphXQOneDOu4i8RgHQZVsI1gf/tra0AsZ+vyTMNGY1rfXuXvByRgiVVULvipRI
        rii57k8xm7UlAA==
        -----END CERTIFICATE-----
        """
    private let key = """
        -----BEGIN PRIVATE KEY-----
        MEcCAQAwBQYDK2VxBDsEOajHT+f6kNXmMn9UTuLZjb2Zsso/xnvHhNoxH6M8CVlK
        xCgJ17FSRnPqWal4WrJo13F1QblTtE3SdA==
        -----END PRIVATE KEY-----
        """
    private let fingerprint = "YQBJRY5ZUmlm46Ix0NJYdmZPrUWogUl2hhUF09fzL9k="

    private func settings() throws -> RelaySettings {
        RelaySettings(hosts: [try TransportHost(text: "127.0.0.1")])
    }

    @Test func anIdentityWithAnEd448KeyIsContinued() throws {
        let temporary = try TemporaryFolder()
        let former = "\(temporary.path)/former", path = "\(temporary.path)/relay"
        try Files.createFolder(former)
        try Files.create("\(former)/ca.crt", Bytes(certificate.utf8))
        try Files.create("\(former)/ca.key", Bytes(key.utf8))
        let addresses = try RelayFolder.create(at: path, settings: settings(), identity: former)
        #expect(Base64URL.encode(addresses.address.fingerprint) == fingerprint)
        let folder = try RelayFolder(opening: path)
        #expect(Base64URL.encode(folder.certificates.fingerprint) == fingerprint)
        #expect(throws: Never.self) {
            try folder.certificates.chain.verify(fingerprint: folder.certificates.fingerprint)
        }
        // The identity key signs a new online certificate later too.
        let first = folder.certificates.chain.certificates[0]
        try folder.renewCertificate()
        let renewed = try Files.read("\(path)/server.crt", limit: 65536)
        #expect(try PEM.decode(String(decoding: renewed, as: UTF8.self), label: "CERTIFICATE") != first)
        #expect(try CertificateState(of: path).fingerprint == folder.certificates.fingerprint)
    }

    @Test func anIdentityWithAnotherKeyIsRefused() throws {
        let temporary = try TemporaryFolder()
        let former = "\(temporary.path)/former", path = "\(temporary.path)/relay"
        try RelayFolder.create(at: former, settings: settings())
        try Files.replace("\(former)/ca.crt", Bytes(certificate.utf8))
        #expect(throws: RelayError.certificates(.keyType)) {
            try RelayFolder.create(at: path, settings: settings(), identity: former)
        }
        try Files.remove("\(former)/ca.key")
        #expect(throws: RelayError.certificates(.keyType)) {
            try RelayFolder.create(at: path, settings: settings(), identity: former)
        }
        // Nothing is left that would prevent another attempt.
        #expect(throws: Never.self) { try RelayFolder.create(at: path, settings: settings()) }
    }
}
