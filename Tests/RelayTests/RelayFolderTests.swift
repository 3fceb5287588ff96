import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SecureTransport
import Store
import SystemIO
import TestSupport
import Testing

@Suite struct RelayFolderTests {
    let temporary: TemporaryFolder
    let path: String

    init() throws {
        temporary = try TemporaryFolder()
        path = "\(temporary.path)/relay"
    }

    private func settings() throws -> RelaySettings {
        RelaySettings(hosts: [try TransportHost(text: "relay.example")])
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Files.read("\(path)/\(name)", limit: 65536), as: UTF8.self)
    }

    private func replace(_ name: String, _ text: String) throws {
        try Files.replace("\(path)/\(name)", Bytes(text.utf8))
    }

    @Test func aNewFolderCanBeOpened() throws {
        var settings = try settings()
        settings.hosts.append(try TransportHost(text: "abcdefgh.onion"))
        settings.port = 5224
        settings.listen = try TransportHost(text: "::1")
        settings.password = try ServerPassword("pass=word#1")
        settings.acceptsNewQueues = false
        settings.quota = 7
        settings.messageDays = 3
        settings.durability = .full
        settings.connectionLimit = 99
        settings.isProxy = false
        settings.proxyRelays = 11
        settings.proxyRequests = 12
        settings.handshakeSeconds = 13
        settings.idleHours = 14
        settings.commandsPerSecond = 15
        settings.megabytesPerSecond = 16
        settings.queuesPerConnection = 17
        settings.connectionsPerAddress = 18
        settings.proxyPrivate = true
        settings.proxySeconds = 19
        settings.reserveMegabytes = 23
        settings.proxyRelaysPerAddress = 20
        settings.proxyOpeningsPerMinute = 21
        settings.proxyConnectionsPerHost = 22
        settings.blocked = [try #require(IPRange("203.0.113.0/24")), try #require(IPRange("2001:db8::/48"))]
        settings.logsAddresses = false
        settings.queueLimit = 24
        settings.messageLimit = 25
        settings.storeMegabytes = 26
        settings.connectionsPerRange = 27
        settings.queuesPerHour = 28
        let address = try RelayFolder.create(at: path, settings: settings)
        #expect(address.password == settings.password)
        #expect(address.address.location == "relay.example,abcdefgh.onion:5224")
        for name in try Files.names(in: path) { #expect(try !Files.status("\(path)/\(name)").isOpenToOthers) }
        let folder = try RelayFolder(opening: path)
        #expect(folder.settings == settings)
        #expect(folder.certificates.fingerprint == address.address.fingerprint)
    }

    @Test func theCertificateForBrowsersIsCheckedAtTheStart() throws {
        let loop = try EventLoop()
        var count = 0
        func start(_ certificate: String?, _ key: String?) throws -> RelayServer {
            var settings = try settings()
            (settings.port, settings.filePort, settings.webCertificate, settings.webKey) = (0, 0, certificate, key)
            settings.listen = try TransportHost(text: "127.0.0.1")
            count += 1
            let path = "\(temporary.path)/\(count)"
            try RelayFolder.create(at: path, settings: settings)
            let folder = try RelayFolder(opening: path)
            #expect(folder.settings == settings)
            return try RelayServer(folder, on: loop)
        }
        // The chain and the key of the relay itself are in PEM form too.
        try start("server.crt", "server.key").stop()
        #expect(throws: RelayError.webCertificate(nil)) { try start("server.crt", nil) }
        #expect(throws: RelayError.webCertificate(nil)) { try start(nil, "server.key") }
        #expect(throws: RelayError.webCertificate(nil)) { try start("server.crt", "ca.key") }
        #expect(throws: RelayError.webCertificate(nil)) { try start("relay.conf", "server.key") }
        let error = #expect(throws: RelayError.self) { try start("server.crt", "/nonexistent/key") }
        #expect(error?.cause != nil && error?.code == "relay-web-certificate")
    }

    @Test func theUsualPortIsNotPartOfTheAddress() throws {
        let address = try RelayFolder.create(at: path, settings: settings())
        #expect(address.address.port == nil)
        #expect(address.texts(withPassword: true).map { $0.hasSuffix("@relay.example") } == [true])
    }

    @Test func nothingIsOverwritten() throws {
        try RelayFolder.create(at: path, settings: settings())
        #expect(throws: RelayError.exists) { try RelayFolder.create(at: path, settings: settings()) }
        try Files.remove("\(path)/relay.conf")
        #expect(throws: RelayError.missing) { try RelayFolder(opening: path) }
        #expect(throws: RelayError.exists) { try RelayFolder.create(at: path, settings: settings()) }
    }

    @Test func aFolderIsServedOnce() throws {
        try RelayFolder.create(at: path, settings: settings())
        let first = try RelayFolder(opening: path)
        let error = #expect(throws: RelayError.self) { try RelayFolder(opening: path) }
        guard case .running(let note) = error else { return #expect(Bool(false)) }
        #expect(Int(String(decoding: note, as: UTF8.self).dropLast()) != nil)
        _ = first
    }

    @Test func certificatesAndKeysBelongTogether() throws {
        try RelayFolder.create(at: path, settings: settings())
        let other = "\(temporary.path)/other"
        try RelayFolder.create(at: other, settings: settings())
        /// Opens the relay with a file of the other one in the place of its own.
        func open(with names: String...) throws {
            let own = try names.map { try text($0) }
            for name in names {
                try replace(name, String(decoding: Files.read("\(other)/\(name)", limit: 65536), as: UTF8.self))
            }
            defer { for (name, text) in zip(names, own) { try? replace(name, text) } }
            _ = try RelayFolder(opening: path)
        }
        #expect(throws: RelayError.certificates(.keyType)) { try open(with: "server.key") }
        #expect(throws: RelayError.certificates(.path)) { try open(with: "server.crt", "server.key") }
        #expect(throws: RelayError.certificates(.path)) { try open(with: "ca.crt") }
        #expect(throws: RelayError.certificates(.keyType)) { try open(with: "ca.key") }
        #expect(throws: RelayError.fingerprint) { try open(with: "ca.crt", "ca.key", "server.crt", "server.key") }
        // The key of the identity may be kept elsewhere.
        try Files.remove("\(path)/ca.key")
        _ = try RelayFolder(opening: path)
        try replace("server.crt", "garbage")
        #expect(throws: RelayError.certificateFile) { try RelayFolder(opening: path) }
    }

    @Test(arguments: [
        ("host = ", 1), ("port = 70000", 1), ("port", 1), ("\n\nnonsense = 1", 3), ("quota = 0", 1),
        ("password = a b", 1),
        ("new_queues = maybe", 1), ("durability = none", 1), ("connections = -1", 1), ("message_days = x", 1),
        ("proxy = maybe", 1), ("proxy_requests = 0", 1), ("idle_hours = 0", 1), ("commands_per_second = 1.5", 1),
        ("listen = ", 1), ("fingerprint = AAAA", 1), ("queues = 0", 1), ("block = 10.0.0.1/8", 1),
        ("block = nobody", 1), ("block = 192.0.2.1 198.51.100.1", 1), ("block = 192.0.2.1,", 1),
        ("log_addresses = yes", 1), ("store_megabytes = -1", 1),
        ("host = " + (1...17).map { "h\($0).example" }.joined(separator: ","), 1),
    ])
    func settingsThatSayNothingAreTold(_ lines: String, _ line: Int) throws {
        try RelayFolder.create(at: path, settings: settings())
        let good = try text("relay.conf")
        try replace("relay.conf", "\(lines)\n\(good)")
        #expect(throws: RelayError.self) { try RelayFolder(opening: path) }
        #expect(settingsMistake() == line)
        for name in ["host", "fingerprint"] {
            let without = good.split(separator: "\n").filter { !$0.hasPrefix(name) }.joined(separator: "\n")
            try replace("relay.conf", without)
            #expect(settingsMistake() == 0)
        }
        try replace("relay.conf", good)
        _ = try RelayFolder(opening: path)
    }

    /// The line that the relay does not accept; nil if it accepts all.
    private func settingsMistake() -> Int? {
        do {
            _ = try RelayFolder(opening: path)
            return nil
        } catch RelayError.settings(let line, let reason) {
            #expect(!reason.isEmpty)
            return line
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test func mistakes_name_the_setting_and_its_values() throws {
        try RelayFolder.create(at: path, settings: settings())
        let good = try text("relay.conf")
        for (line, reason) in [
            ("quota = 0", "'quota' takes 1 to 100000 messages"), ("secret words", "it is not NAME = VALUE"),
            ("secret = words", "there is no such setting"),
        ] {
            try replace("relay.conf", "\(line)\n\(good)")
            #expect(throws: RelayError.settings(line: 1, reason: reason)) { try RelayFolder(opening: path) }
        }
    }

    /// The declarations are the only list of settings: each is in the file, comes back from it, and has a default that it accepts.
    @Test func every_setting_is_declared_once_and_reads_what_it_writes() throws {
        let names = RelaySetting.all.map(\.name)
        #expect(Set(names).count == names.count)
        let lines = try settings().text.split(separator: "\n")
        for setting in RelaySetting.all {
            #expect(
                lines.contains { $0.hasPrefix("\(setting.name) = ") || $0.hasPrefix("# \(setting.name) =") },
                "\(setting.name) is in the file")
            #expect(setting.meaning.hasSuffix("."), "\(setting.name)")
            guard let value = setting.defaultText else { continue }
            let fingerprint = "fingerprint = \(Base64URL.encode(Bytes(repeating: 1, count: 32)))"
            let (read, _) = try RelaySettings.read("host = localhost\n\(setting.name) = \(value)\n\(fingerprint)\n")
            #expect(read == RelaySettings(hosts: [.domain("localhost")]), "\(setting.name)")
        }
        // A property without a declaration would be lost on the way through the file.
        #expect(Mirror(reflecting: try settings()).children.count == names.count)
    }

    // MARK: - Certificates

    @Test func aRenewedCertificateHasAnotherKeyAndTheSameIdentity() throws {
        let address = try RelayFolder.create(at: path, settings: settings())
        let before = try RelayFolder(opening: path).certificates
        try RelayFolder(opening: path).renewCertificate()
        let after = try RelayFolder(opening: path).certificates
        #expect(after.fingerprint == address.address.fingerprint)
        #expect(after.key.publicKey != before.key.publicKey)
        let state = try CertificateState(of: path)
        #expect(state.fingerprint == address.address.fingerprint && state.hasIdentityKey)
        #expect(state.validity.upperBound.seconds - state.validity.lowerBound.seconds == 999_999 * 86_400)
        #expect(try Files.names(in: path).allSatisfy { !$0.hasSuffix(".renewed") })
    }

    @Test func theKeyOfTheIdentityMayBeElsewhereAndMustBeTheRightOne() throws {
        try RelayFolder.create(at: path, settings: settings())
        let elsewhere = "\(temporary.path)/kept.key"
        try Files.move("\(path)/ca.key", to: elsewhere)
        #expect(throws: RelayError.identityKey) { try RelayFolder(opening: path).renewCertificate() }
        try RelayFolder(opening: path).renewCertificate(identityKey: elsewhere)
        #expect(throws: RelayError.identityKey) {
            try RelayFolder(opening: path).renewCertificate(identityKey: "\(path)/server.key")
        }
        #expect(try !CertificateState(of: path).hasIdentityKey)
    }

    @Test(arguments: [
        // What is there when the process is killed, and whether the new certificate counts then.
        (["server.key.renewed"], false), (["server.key.renewed", "server.crt.renewed"], true),
        (["server.crt.renewed"], true),
    ])
    func aRenewalThatWasCutOffIsFinishedOrForgotten(_ left: [String], isNew: Bool) throws {
        try RelayFolder.create(at: path, settings: settings())
        let before = try RelayFolder(opening: path).certificates.key.publicKey
        let old = try ["server.key", "server.crt"].map { try text($0) }
        try RelayFolder(opening: path).renewCertificate()
        let after = try RelayFolder(opening: path).certificates.key.publicKey
        // Back to how it was on the way there.
        for (name, text) in zip(["server.key", "server.crt"], old) {
            if left.contains("\(name).renewed") { try Files.move("\(path)/\(name)", to: "\(path)/\(name).renewed") }
            let isInPlace = name == "server.key" && left == ["server.crt.renewed"]
            if !isInPlace { try replace(name, text) }
        }
        #expect(try RelayFolder(opening: path).certificates.key.publicKey == (isNew ? after : before))
        #expect(try Files.names(in: path).allSatisfy { !$0.hasSuffix(".renewed") })
    }

    @Test func deleting_relay_keeps_other_files() throws {
        try RelayFolder.create(at: path, settings: settings())
        try Files.create("\(path)/notes.txt", [])
        do {
            let open = try RelayFolder(opening: path)
            #expect(throws: RelayError.self) { try RelayFolder.delete(at: path) }
            _ = open.settings
        }
        try RelayFolder.delete(at: path)
        #expect(try Files.names(in: path) == ["notes.txt"])
        #expect(throws: RelayError.missing) { try RelayFolder.delete(at: path) }
        try Files.remove("\(path)/notes.txt")
        try RelayFolder.create(at: path, settings: settings())
        try RelayFolder.delete(at: path)
        #expect(!Files.exists(path))
    }
}
