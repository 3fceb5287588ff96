import ByteCoding
import CryptoCore
import SMPProtocol
import SystemIO
import TestSupport
import Testing
import XFTPClient
import XFTPProtocol

/// Files from one place to another, through relays in memory.
@Suite(.timeLimit(.minutes(60))) struct FileTransfersTests {
    /// One person with transfers, their storage and their files.
    private final class Person {
        let loop: EventLoop
        let folder: TemporaryFolder
        let store = MemoryTransferStore()
        var relays: [MemoryFileRelay] = []
        var password: ServerPassword?
        var parameters = FileTransferParameters()
        var clock = Timestamp(milliseconds: 1_700_000_000_000)
        private(set) var transfers: FileTransfers?
        private(set) var sent: [FileID: (sender: [FileDescription], recipients: [FileDescription])] = [:]
        private(set) var received: [FileID: (path: String, name: String)] = [:]
        private(set) var failures: [FileID: FileFailure] = [:]
        /// The free space of the disk; nil for that of the real one.
        var freeSpace: Int?
        private(set) var ended: [FileID: String] = [:]
        private(set) var deleted: Set<FileID> = []
        private(set) var described: [FileID: Int64] = [:]
        private(set) var warnings: [FileFailure] = []
        private(set) var progress: [Int64] = []
        private(set) var storageFailures = 0
        /// Stops at the next progress.
        var stopsAtProgress = false
        private var next = 0

        init(_ loop: EventLoop) throws {
            self.loop = loop
            folder = try TemporaryFolder()
            parameters.firstPause = .milliseconds(1)
            parameters.longestPause = .milliseconds(20)
        }

        var path: String { folder.path }

        /// Returns the place of a file. Tests replace it.
        lazy var places: (FileID) -> FilePlace? = { [store] id in
            (store.storedUploads[id]?.source ?? store.storedDownloads[id]?.target).map { FilePlace($0) }
        }

        /// Begins with what is stored, as after a start of the program.
        func start() throws {
            transfers?.stop()
            let transfers = FileTransfers(
                store: store, folder: "\(path)/staged", loop: loop, parameters: parameters,
                now: { [unowned self] in clock },
                servers: { [unowned self] _, excluded in server(except: excluded) },
                handler: { [unowned self] event in note(event) })
            transfers.onStorageFailure = { [unowned self] _ in storageFailures += 1 }
            transfers.freeSpace = { [unowned self] path throws(SystemError) in
                if let freeSpace { return freeSpace }
                return try Files.freeSpace(at: path)
            }
            self.transfers = transfers
            try transfers.resume { [unowned self] id in places(id) }
        }

        private func server(except excluded: Set<ServerAddress>) -> ConfiguredServer? {
            next += 1
            let usable = relays.map(\.address).filter { !excluded.contains($0) }
            return usable.isEmpty
                ? nil : ConfiguredServer(address: usable[next % usable.count], password: password)
        }

        private func note(_ event: FileEvent) {
            switch event {
            case .sending(_, let done, _), .receiving(_, let done, _):
                progress.append(done)
                if stopsAtProgress, done > 0 {
                    transfers?.stop()
                    stopsAtProgress = false
                }
            case .sent(let id, let sender, let recipients): sent[id] = (sender, recipients)
            case .received(let id, let path, let name): received[id] = (path, name)
            case .warning(_, let failure): warnings.append(failure)
            case .failed(let id, let failure): failures[id] = failure
            case .ended(let id, let code): ended[id] = code
            case .deleted(let id): deleted.insert(id)
            case .describing(let id, let size): described[id] = size
            }
        }

        func write(_ name: String, _ bytes: Bytes) throws -> LocalFile {
            try Files.create("\(path)/\(name)", bytes)
            return LocalFile(path: "\(path)/\(name)")
        }

        /// The files in the folder, without those of the transfers.
        func names() throws -> [String] { try Files.names(in: path).filter { $0 != "staged" } }

        func stagedNames() throws -> [String] { try Files.names(in: "\(path)/staged") }

        /// Runs the loop until the condition is true.
        func wait(_ what: Comment, _ isDone: () -> Bool) {
            var isLate = false
            let timer = loop.after(.seconds(60)) { isLate = true }
            loop.run { isLate || isDone() }
            timer.cancel()
            #expect(!isLate, what)
        }
    }

    private static let file = FileID(7)

    private static func content(_ size: Int) -> Bytes { SeededRandom(seed: UInt64(size)).bytes(size) }

    /// Sends a file and returns its descriptions.
    private func send(
        _ content: Bytes, from person: Person, recipients: Int = 1, usesRedirect: Bool = false
    ) throws -> (sender: [FileDescription], recipients: [FileDescription]) {
        if person.transfers == nil { try person.start() }
        let source = try person.write("source-\(content.count)", content)
        try person.transfers?.send(
            source, name: "note.txt", recipients: recipients, usesRedirect: usesRedirect, for: 1, as: Self.file)
        person.wait("sent") { person.sent[Self.file] != nil || person.failures[Self.file] != nil }
        return try #require(person.sent[Self.file])
    }

    private func receive(
        _ description: FileDescription, by person: Person, as id: FileID = file, key: FileEncryptionKey? = nil,
        contentDigest: Bytes? = nil, contentSize: Int64? = nil
    ) throws {
        if person.transfers == nil { try person.start() }
        let target = LocalFile(path: "\(person.path)/received.txt", key: key)
        try person.transfers?.receive(
            description, to: target, contentSize: contentSize, contentDigest: contentDigest, for: 1, as: id)
        person.wait("received") { person.received[id] != nil || person.failures[id] != nil }
    }

    @Test(arguments: [0, 5, 65000, 300_000, 5_000_000])
    func filesArrive(size: Int) throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        alice.relays = [try MemoryFileRelay(loop), try MemoryFileRelay(loop)]
        let content = Self.content(size)
        let (sender, recipients) = try send(content, from: alice, recipients: 3)
        #expect(sender.map(\.party) == [.sender] && recipients.count == 3)
        #expect(try alice.stagedNames() == [])
        #expect(alice.progress.last == sender[0].size)
        for (index, description) in recipients.enumerated() {
            // As it travels in messages.
            let text = description.text
            try receive(try FileDescription(text: text), by: bob, as: FileID(Int64(index)))
            #expect(bob.received[FileID(Int64(index))]?.name == "note.txt")
        }
        for name in ["received.txt", "received_1.txt", "received_2.txt"] {
            #expect(try Files.read("\(bob.path)/\(name)", limit: size) == content)
        }
        #expect(try bob.stagedNames() == [])
        // All recipients have acknowledged.
        bob.wait("acknowledged") {
            alice.relays.allSatisfy { $0.chunks.values.allSatisfy { $0.recipients.isEmpty } }
        }
        #expect(bob.failures.isEmpty && bob.warnings.isEmpty)
    }

    @Test func manyRecipientsAreAddedInParts() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let (_, recipients) = try send([1], from: alice, recipients: 512)
        #expect(recipients.count == 512)
        #expect(relay.count(.fnew) == 1 && relay.count(.fadd) == 2)
        let bob = try Person(loop)
        try receive(recipients[511], by: bob)
        #expect(try Files.read("\(bob.path)/received.txt", limit: 1) == [1])
    }

    @Test func interruptedTransfersResumeAtTheChunk() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        alice.parameters.mostAtOnce = 1
        bob.parameters.mostAtOnce = 1
        let content = Self.content(1_300_000)
        try alice.start()
        let source = try alice.write("source", content)
        alice.stopsAtProgress = true
        try alice.transfers?.send(source, name: "a", recipients: 1, for: 1, as: Self.file)
        alice.wait("interrupted") { !alice.stopsAtProgress }
        try alice.start()
        alice.wait("sent") { alice.sent[Self.file] != nil }
        let description = try #require(alice.sent[Self.file]?.recipients.first)
        #expect(description.chunks.count > 1)
        // The interruption comes right after a chunk, so nothing is sent twice.
        #expect(relay.count(.fnew) == description.chunks.count)
        #expect(relay.count(.fput) == description.chunks.count)

        bob.stopsAtProgress = true
        try bob.start()
        try bob.transfers?.receive(
            description, to: LocalFile(path: "\(bob.path)/received.txt"), for: 1, as: Self.file)
        bob.wait("interrupted") { !bob.stopsAtProgress }
        #expect(try bob.names() == [])
        try bob.start()
        bob.wait("received") { bob.received[Self.file] != nil }
        #expect(relay.count(.fget) == description.chunks.count)
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
    }

    /// An archive of a store has no encrypted files.
    @Test(arguments: [false, true])
    func transfersBeginAgainWithoutTheirEncryptedFiles(usesRedirect: Bool) throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        alice.parameters.mostAtOnce = 1
        bob.parameters.mostAtOnce = 1
        let content = Self.content(1_300_000)
        try alice.start()
        let source = try alice.write("source", content)
        alice.stopsAtProgress = true
        try alice.transfers?.send(source, name: "a", recipients: 1, usesRedirect: usesRedirect, for: 1, as: Self.file)
        alice.wait("interrupted") { !alice.stopsAtProgress }
        try Files.removeTree("\(alice.path)/staged")
        try alice.start()
        alice.wait("sent") { alice.sent[Self.file] != nil || alice.failures[Self.file] != nil }
        let description = try #require(alice.sent[Self.file]?.recipients.first)
        bob.stopsAtProgress = true
        try bob.start()
        try bob.transfers?.receive(
            description, to: LocalFile(path: "\(bob.path)/received.txt"), for: 1, as: Self.file)
        bob.wait("interrupted") { !bob.stopsAtProgress }
        try Files.removeTree("\(bob.path)/staged")
        try bob.start()
        bob.wait("received") { bob.received[Self.file] != nil || bob.failures[Self.file] != nil }
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
    }

    @Test(arguments: [false, true]) func redirectMakesAShortLink(isForgotten: Bool) throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let content = Self.content(700_000)
        let (sender, recipients) = try send(content, from: alice, usesRedirect: true)
        #expect((alice.described[Self.file] ?? 0) > 500)
        let link = FileLink(description: try #require(recipients.first))
        #expect(link.text.utf8.count < 1100)
        #expect(link.description.redirect?.size == sender[0].size)
        #expect(link.description.redirect?.digest == sender[0].digest)
        #expect(link.description.chunks.map(\.size) == [65536])
        try receive(try FileLink(text: link.text).description, by: bob)
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        if isForgotten {
            // The sender's descriptions are enough to delete the file and its redirect.
            try alice.transfers?.forgetSent(Self.file)
            let known = try sender.map { try FileDescription(text: $0.text) }
            #expect(known.map(\.chunks.count) == [sender[0].chunks.count, 1] && relay.chunks.count > known.count)
            try alice.transfers?.delete(known, for: 1, as: Self.file)
        } else {
            try alice.transfers?.deleteSent(Self.file)
        }
        alice.wait("deleted") { alice.deleted.contains(Self.file) }
        #expect(relay.chunks.isEmpty)
        #expect(alice.store.uploads().isEmpty)
    }

    /// All links with a redirect lead to one description of the file.
    @Test func linksWithRedirectsEndOneByOne() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let content = Self.content(700_000)
        let (_, recipients) = try send(content, from: alice, recipients: 3, usesRedirect: true)
        #expect(recipients.count == 3)
        for (number, link) in recipients.enumerated() {
            let bob = try Person(loop)
            // The last one ends the file for others.
            try bob.start()
            bob.transfers?.sharesLinks = number < 2
            try receive(link, by: bob)
            #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
            bob.wait("settled") { bob.transfers?.isSettling == false }
        }
        // Each link works once.
        let cath = try Person(loop)
        try cath.start()
        try cath.transfers?.receive(
            recipients[0], to: LocalFile(path: "\(cath.path)/received.txt"), for: 1, as: Self.file)
        cath.wait("failed") { cath.failures[Self.file] != nil }
        #expect(cath.failures[Self.file] == .relay(relay.address, .refused(.authorization)))
    }

    /// A file that cannot be written to its place leaves the link as it is.
    @Test func linksStayUntilTheFileIsAtItsPlace() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let content = Self.content(700_000)
        let (_, recipients) = try send(content, from: alice, usesRedirect: true)
        let link = try #require(recipients.first)
        try bob.start()
        try bob.transfers?.receive(link, to: LocalFile(path: "\(bob.path)/none/received.txt"), for: 1, as: Self.file)
        bob.wait("failed") { bob.failures[Self.file] != nil }
        #expect(bob.failures[Self.file]?.code == "file.target")
        #expect(relay.count(.fack) == 0)
        // The link works, and ends then.
        let cath = try Person(loop)
        try cath.start()
        cath.transfers?.sharesLinks = true
        try receive(link, by: cath)
        #expect(try Files.read("\(cath.path)/received.txt", limit: content.count) == content)
        cath.wait("settled") { cath.transfers?.isSettling == false }
        #expect(relay.count(.fack) == 1)
    }

    /// The program that a restart interrupts between a redirect and the end of its file ends the link too.
    @Test func redirectsEndAfterARestart() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let content = Self.content(700_000)
        let (_, recipients) = try send(content, from: alice, usesRedirect: true)
        let link = try #require(recipients.first), target = LocalFile(path: "\(bob.path)/received.txt")
        try bob.start()
        try bob.transfers?.receive(link, to: target, for: 1, as: Self.file)
        bob.wait("followed") { bob.store.storedDownloads[Self.file]?.download.description.redirect == nil }
        try bob.start()
        bob.transfers?.sharesLinks = true
        try bob.transfers?.receive(link, to: target, for: 1, as: Self.file)
        bob.wait("received") { bob.received[Self.file] != nil || bob.failures[Self.file] != nil }
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        bob.wait("settled") { bob.transfers?.isSettling == false }
        #expect(relay.count(.fack) == 1)
    }

    @Test func redirectToAnotherFileIsRefused() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        alice.relays = [try MemoryFileRelay(loop)]
        let (_, recipients) = try send(Self.content(70000), from: alice, usesRedirect: true)
        let real = try #require(recipients.first)
        let other = try FileDescription(
            party: .recipient, size: real.size, digest: real.digest, key: real.key, chunkSize: real.chunkSize,
            chunks: real.chunks, redirect: FileDescription.Redirect(size: 131_072, digest: Bytes(1...64)))
        try receive(other, by: bob)
        #expect(bob.failures[Self.file] == .description(.size) || bob.failures[Self.file] == .description(.digest))
        #expect(bob.failures[Self.file]?.code == "file.description")
        #expect(try bob.names() == [])
    }

    @Test func damagedChunksLeaveNothingBehind() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let (_, recipients) = try send(Self.content(70000), from: alice)
        relay.corruptAll()
        try receive(recipients[0], by: bob)
        #expect(bob.failures[Self.file] == .relay(relay.address, .wrongChunk(.digest)))
        #expect(try bob.names() == [] && bob.stagedNames() == [])
        #expect(bob.store.storedDownloads[Self.file]?.stage == .failed)
        #expect(bob.store.storedDownloads[Self.file]?.failure == "file.relay")
    }

    /// Relays that answer a download with something else: an error or another attempt, and no file until they behave.
    @Test(arguments: MemoryFileRelay.Misbehaviour.allCases)
    func hostileRelaysLeaveNothingBehind(_ misbehaviour: MemoryFileRelay.Misbehaviour) throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(70000)
        bob.parameters.session.answerDeadline = .milliseconds(300)
        alice.relays = [relay]
        let (_, recipients) = try send(content, from: alice)
        relay.misbehaviour = misbehaviour
        try bob.start()
        try bob.transfers?.receive(
            recipients[0], to: LocalFile(path: "\(bob.path)/received.txt"), for: 1, as: Self.file)
        bob.wait("told") { bob.failures[Self.file] != nil || bob.warnings.count > 1 }
        #expect(try bob.names() == [])
        let expected: [FileSessionError] =
            switch misbehaviour {
            case .short, .empty: [.wrongChunk(.size)]
            case .long, .endless: [.wrongChunk(.size)]
            case .otherChunk: [.wrongChunk(.digest)]
            case .changedByte, .changedTag: [.wrongChunk(.authentication)]
            case .otherAnswer, .noise, .status: [.unexpectedAnswer]
            case .silence: [.timedOut]
            }
        for failure in bob.warnings + [bob.failures[Self.file]].compactMap(\.self) {
            guard case .relay(relay.address, let error) = failure else {
                Issue.record("another failure: \(failure)")
                continue
            }
            #expect(expected.contains(error))
        }
        relay.misbehaviour = nil
        if bob.failures[Self.file] != nil {
            #expect(try bob.stagedNames() == [])
            try receive(recipients[0], by: bob, as: FileID(8))
        } else {
            bob.wait("received") { bob.received[Self.file] != nil }
        }
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        #expect(try bob.names() == ["received.txt"] && bob.stagedNames() == [])
    }

    /// The bodies of further requests lie unread then, and use up the window of their connection.
    @Test(arguments: [1, 2, 3])
    func large_files_reach_relays_that_read_few_requests_at_a_time(count: Int) throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(18_000_000)
        relay.requestsAtOnce = count
        alice.relays = [relay]
        let (_, recipients) = try send(content, from: alice)
        #expect(relay.count(.fput) == recipients[0].chunks.count && recipients[0].chunks.count > 4)
        #expect(alice.warnings.isEmpty)
        try receive(recipients[0], by: bob)
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        #expect(bob.warnings.isEmpty && relay.count(.fget) == recipients[0].chunks.count)
    }

    /// A single connection is enough too.
    @Test func one_connection_carries_one_chunk_at_a_time() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(18_000_000)
        relay.requestsAtOnce = 1
        alice.relays = [relay]
        alice.parameters.mostConnections = 1
        let (_, recipients) = try send(content, from: alice)
        #expect(relay.count(.fput) == recipients[0].chunks.count && relay.accepted == 1)
        #expect(alice.warnings.isEmpty)
    }

    @Test(arguments: [1, 2]) func a_stalled_upload_lowers_the_number_of_connections(count: Int) throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(2_900_000)
        relay.readConnections = count
        alice.relays = [relay]
        alice.parameters.session.stallDeadline = .seconds(2)
        let (_, recipients) = try send(content, from: alice)
        #expect(recipients[0].chunks.count == 3)
        // No chunk that the relay has is sent again.
        #expect(relay.count(.fput) == recipients[0].chunks.count)
        #expect(alice.warnings.isEmpty)
    }

    @Test func a_slow_answer_is_no_stall() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(5_000_000)
        relay.answerDelay = .milliseconds(400)
        relay.requestsAtOnce = 3
        alice.relays = [relay]
        alice.parameters.session.stallDeadline = .milliseconds(200)
        let (_, recipients) = try send(content, from: alice)
        #expect(relay.count(.fput) == recipients[0].chunks.count && relay.count(.fnew) == recipients[0].chunks.count)
        #expect(alice.warnings.isEmpty)
    }

    /// Padding hides the size of the content in an encrypted file, so only the decrypted content shows it.
    @Test(arguments: [(1000, 10), (10, 1000), (999, 1000), (1001, 1000), (1, 0), (0, 1)])
    func the_size_of_the_content_is_that_of_the_offer(size: Int, offered: Int64) throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(size)
        alice.relays = [relay]
        let (_, recipients) = try send(content, from: alice, recipients: 2)
        try receive(recipients[0], by: bob, as: FileID(1), contentSize: offered)
        #expect(bob.failures[FileID(1)] == .wrongFile(.contentSize))
        #expect(bob.failures[FileID(1)]?.code == "file.size")
        #expect(try bob.names() == [] && bob.stagedNames() == [])
        // Another download would bring the same.
        #expect(relay.count(.fget) == recipients[0].chunks.count)
        try receive(recipients[1], by: bob, as: FileID(2), contentSize: Int64(size))
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
    }

    /// The size is that of the application, which has it after a restart too.
    @Test func the_size_of_the_offer_counts_after_a_restart() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(1_300_000)
        alice.relays = [relay]
        let (_, recipients) = try send(content, from: alice)
        bob.parameters.mostAtOnce = 1
        bob.stopsAtProgress = true
        try bob.start()
        let target = LocalFile(path: "\(bob.path)/received.txt")
        try bob.transfers?.receive(recipients[0], to: target, contentSize: 1_299_999, for: 1, as: Self.file)
        bob.wait("interrupted") { !bob.stopsAtProgress }
        bob.places = { _ in FilePlace(target, contentSize: 1_299_999) }
        try bob.start()
        bob.wait("failed") { bob.received[Self.file] != nil || bob.failures[Self.file] != nil }
        #expect(bob.failures[Self.file] == .wrongFile(.contentSize))
    }

    /// The records of an archive name any path of the machine.
    @Test func transfers_resume_only_at_the_places_of_the_application() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(1_300_000)
        alice.relays = [relay]
        alice.parameters.mostAtOnce = 1
        bob.parameters.mostAtOnce = 1
        // An upload whose encrypted file is missing begins with the source.
        let secret = try alice.write("secret", Self.content(1_300_001)), open = try alice.write("open", content)
        alice.stopsAtProgress = true
        try alice.start()
        try alice.transfers?.send(secret, name: "a", recipients: 2, for: 1, as: Self.file)
        alice.wait("interrupted") { !alice.stopsAtProgress }
        try Files.removeTree("\(alice.path)/staged")
        alice.places = { _ in FilePlace(open) }
        try alice.start()
        alice.wait("sent") { alice.sent[Self.file] != nil || alice.failures[Self.file] != nil }
        let recipients = try #require(alice.sent[Self.file]).recipients
        let place = LocalFile(path: "\(bob.path)/here.txt"), other = LocalFile(path: "\(bob.path)/elsewhere/there.txt")
        try Files.createFolder("\(bob.path)/elsewhere")
        bob.stopsAtProgress = true
        try bob.start()
        try bob.transfers?.receive(recipients[0], to: other, for: 1, as: Self.file)
        bob.wait("interrupted") { !bob.stopsAtProgress }
        bob.places = { _ in FilePlace(place) }
        try bob.start()
        bob.wait("received") { bob.received[Self.file] != nil || bob.failures[Self.file] != nil }
        #expect(try Files.read(place.path, limit: content.count) == content)
        #expect(try Files.names(in: "\(bob.path)/elsewhere") == [])
        // A complete file in another folder is not the application's.
        try bob.store.save(
            DownloadRecord(
                id: FileID(8), profileID: 1, target: other, createdAt: bob.clock, stage: .complete,
                download: FileDownload(recipients[1]), path: other.path))
        try bob.start()
        #expect(bob.received[FileID(8)] == nil && bob.store.storedDownloads[FileID(8)] == nil)
        // Transfers of files that the application does not have.
        try bob.transfers?.receive(recipients[1], to: place, for: 1, as: FileID(9))
        bob.places = { _ in nil }
        try bob.start()
        #expect(bob.store.storedDownloads.isEmpty)
    }

    @Test func contentDigestIsChecked() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop), content = Self.content(70000)
        alice.relays = [relay]
        let (_, recipients) = try send(content, from: alice, recipients: 2)
        try receive(recipients[0], by: bob, as: FileID(1), contentDigest: SHA512.hash([1]))
        #expect(bob.failures[FileID(1)] == .wrongFile(.content))
        #expect(bob.failures[FileID(1)]?.code == "file.digest")
        #expect(try bob.names() == [] && bob.stagedNames() == [])
        // Another download would bring the same.
        #expect(relay.count(.fget) == recipients[0].chunks.count)
        try receive(recipients[1], by: bob, as: FileID(2), contentDigest: SHA512.hash(content))
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
    }

    // MARK: - Full disks

    @Test func fullDiskDelaysAnUpload() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        alice.parameters.fullDiskPause = .milliseconds(5)
        alice.freeSpace = 100_000
        try alice.start()
        let source = try alice.write("source", Self.content(70000))
        try alice.transfers?.send(source, name: "a", recipients: 1, for: 1, as: Self.file)
        #expect(alice.warnings.map(\.isFullDisk) == [true] && alice.failures.isEmpty)
        #expect(alice.warnings.first?.code == "file.disk-full")
        #expect(try alice.stagedNames() == [])
        // It is told once, although it looks again and again, also after a start.
        alice.parameters.fullDiskPause = .milliseconds(1)
        try alice.start()
        var isOver = false
        loop.after(.milliseconds(50)) { isOver = true }
        alice.wait("some looks") { isOver }
        #expect(alice.warnings.count == 2 && alice.sent.isEmpty)
        alice.freeSpace = nil
        alice.wait("sent") { alice.sent[Self.file] != nil }
        #expect(alice.failures.isEmpty && relay.count(.fput) == 2)
    }

    @Test func fullDiskDelaysADownload() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        alice.relays = [try MemoryFileRelay(loop)]
        let content = Self.content(70000)
        let (_, recipients) = try send(content, from: alice)
        bob.freeSpace = 1000
        bob.parameters.fullDiskPause = .seconds(600)
        bob.parameters.longestPause = .seconds(600)
        try bob.start()
        try bob.transfers?.receive(
            recipients[0], to: LocalFile(path: "\(bob.path)/received.txt"), for: 1, as: Self.file)
        #expect(bob.warnings.map(\.isFullDisk) == [true] && bob.failures.isEmpty)
        #expect(bob.transfers?.retry(Self.file) == true)
        #expect(bob.warnings.count == 2)
        bob.freeSpace = nil
        #expect(bob.transfers?.retry(Self.file) == true)
        bob.wait("received") { bob.received[Self.file] != nil }
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        #expect(bob.transfers?.retry(Self.file) == false)
    }

    @Test func cancelledFilesDoNotWaitForRoom() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        alice.relays = [try MemoryFileRelay(loop)]
        alice.freeSpace = 0
        try alice.start()
        let source = try alice.write("source", [1])
        try alice.transfers?.send(source, name: "a", recipients: 1, for: 1, as: Self.file)
        #expect(alice.warnings.count == 1)
        try alice.transfers?.deleteSent(Self.file)
        #expect(alice.deleted == [Self.file] && alice.transfers?.retry(Self.file) == false)
        #expect(alice.store.uploads().isEmpty)
    }

    @Test func fullRelaysAreTriedUntilTheyHaveRoom() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        var refused = 0
        relay.intercept = { command in
            guard case .fput = command, refused < 12 else { return nil }
            refused += 1
            return .err(.quota)
        }
        let (_, recipients) = try send(Self.content(1000), from: alice)
        #expect(recipients.count == 1 && refused == 12)
        #expect(alice.warnings.allSatisfy { $0 == .relay(relay.address, .refused(.quota)) })
    }

    @Test func deletionEndsAnUploadThatIsComplete() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let (sender, _) = try send(Self.content(100), from: alice)
        // The application has not forgotten it yet.
        try alice.transfers?.delete(sender, for: 1, as: Self.file)
        #expect(alice.transfers?.isDeleting == true)
        alice.wait("deleted") { alice.deleted.contains(Self.file) }
        #expect(relay.chunks.isEmpty && alice.transfers?.isDeleting == false)
    }

    @Test func wrongDigestOfTheWholeIsRefused() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        alice.relays = [try MemoryFileRelay(loop)]
        let (_, recipients) = try send(Self.content(70000), from: alice)
        let real = recipients[0]
        let digest = try FileDescription(
            party: .recipient, size: real.size, digest: Bytes(1...64), key: real.key, chunkSize: real.chunkSize,
            chunks: real.chunks)
        try receive(digest, by: bob, as: FileID(1))
        #expect(bob.failures[FileID(1)] == .wrongFile(.digest))
        let key = try FileDescription(
            party: .recipient, size: real.size, digest: real.digest, key: FileEncryptionKey(random: SystemRandom()),
            chunkSize: real.chunkSize, chunks: real.chunks)
        try receive(key, by: bob, as: FileID(2))
        let failure = bob.failures[FileID(2)]
        #expect(failure == .wrongFile(.authentication) || failure == .wrongFile(.header))
        #expect(try bob.names() == [] && bob.stagedNames() == [])
    }

    @Test func otherReplicasAreTried() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        alice.relays = [try MemoryFileRelay(loop)]
        let content = Self.content(70000)
        let (_, recipients) = try send(content, from: alice)
        let empty = try MemoryFileRelay(loop)
        let chunks = recipients[0].chunks.map { chunk in
            let lost = FileDescription.Replica(
                server: empty.address, id: chunk.replicas[0].id, key: chunk.replicas[0].key)
            return FileDescription.Chunk(
                number: chunk.number, size: chunk.size, digest: chunk.digest, replicas: [lost] + chunk.replicas)
        }
        let description = try FileDescription(
            party: .recipient, size: recipients[0].size, digest: recipients[0].digest, key: recipients[0].key,
            chunkSize: recipients[0].chunkSize, chunks: chunks)
        try receive(description, by: bob)
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        #expect(empty.count(.fget) == chunks.count)
    }

    @Test func temporaryErrorsAreRepeated() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        // Every command fails at its first attempt, in another way.
        var seen: Set<FileCommandTag> = []
        relay.intercept = { command in
            guard seen.insert(command.tag).inserted else { return nil }
            switch command {
            case .fnew: return .err(.internal)
            case .fput: return .err(.timeout)
            default: return nil
            }
        }
        relay.ignores = { command in
            guard case .fget = command, seen.insert(.fget).inserted else { return false }
            relay.hangUp()
            return true
        }
        let content = Self.content(1000)
        let (_, recipients) = try send(content, from: alice)
        #expect(alice.warnings.count == 2)
        try receive(recipients[0], by: bob)
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        #expect(bob.warnings.count == 1)
    }

    @Test func chunksMoveToRelaysWithRoom() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let full = try MemoryFileRelay(loop), other = try MemoryFileRelay(loop)
        full.intercept = { if case .fput = $0 { .err(.quota) } else { nil } }
        alice.relays = [full, other]
        let (_, recipients) = try send(Self.content(300_000), from: alice)
        #expect(recipients[0].servers == [other.address])
    }

    @Test func rejectedUploadFails() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        relay.password = try ServerPassword("secret")
        alice.relays = [relay]
        try alice.start()
        let source = try alice.write("source", [1, 2, 3])
        try alice.transfers?.send(source, name: "a", recipients: 1, for: 1, as: Self.file)
        alice.wait("failed") { alice.failures[Self.file] != nil }
        #expect(alice.failures[Self.file] == .relay(relay.address, .refused(.authorization)))
        #expect(try alice.stagedNames() == [])
        alice.password = relay.password
        try alice.transfers?.send(source, name: "a", recipients: 1, for: 1, as: FileID(8))
        alice.wait("sent") { alice.sent[FileID(8)] != nil }
        alice.relays = []
        try alice.transfers?.send(source, name: "a", recipients: 1, for: 1, as: FileID(9))
        alice.wait("failed") { alice.failures[FileID(9)] != nil }
        #expect(alice.failures[FileID(9)] == .noRelay)
    }

    @Test func lostChunksAreGoneForRecipients() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let (_, recipients) = try send(Self.content(10), from: alice)
        try alice.transfers?.deleteSent(Self.file)
        alice.wait("deleted") { alice.deleted.contains(Self.file) }
        #expect(relay.chunks.isEmpty)
        try receive(recipients[0], by: bob)
        #expect(bob.failures[Self.file]?.code == "file.gone")
    }

    @Test func oldTransfersFail() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let (_, recipients) = try send(Self.content(10), from: alice)
        relay.intercept = { [unowned bob] _ in
            bob.clock = bob.clock + .seconds(24 * 3600)
            return .err(.internal)
        }
        try receive(recipients[0], by: bob)
        #expect(bob.failures[Self.file] == .expired)
        #expect(relay.count(.fget) == 3)
    }

    /// The storage refuses once, at each of the first steps, and then everything begins again.
    @Test(arguments: 0..<14)
    func crashesBetweenAnyTwoSteps(step: Int) throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let content = Self.content(200_000)
        try alice.start()
        let source = try alice.write("source", content)
        alice.store.savesLeft = step + 1
        try alice.transfers?.send(source, name: "a", recipients: 1, usesRedirect: true, for: 1, as: Self.file)
        alice.wait("stopped or sent") { alice.storageFailures > 0 || alice.sent[Self.file] != nil }
        alice.store.savesLeft = nil
        try alice.start()
        alice.wait("sent") { alice.sent[Self.file] != nil }
        #expect(try alice.stagedNames() == [])
        let description = try #require(alice.sent[Self.file]?.recipients.first)
        try bob.start()
        bob.store.savesLeft = step + 1
        try bob.transfers?.receive(
            description, to: LocalFile(path: "\(bob.path)/received.txt"), for: 1, as: Self.file)
        bob.wait("stopped or received") { bob.storageFailures > 0 || bob.received[Self.file] != nil }
        bob.store.savesLeft = nil
        try bob.start()
        bob.wait("received") { bob.received[Self.file] != nil }
        // Never a second copy.
        #expect(try bob.names() == ["received.txt"])
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        #expect(try bob.stagedNames() == [])
        #expect(alice.failures.isEmpty && bob.failures.isEmpty)
    }

    @Test func endsAreReportedAgainUntilForgotten() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let (sender, recipients) = try send([1, 2], from: alice)
        try receive(recipients[0], by: bob)
        relay.corruptAll()
        let copy = try Person(loop)
        copy.relays = [relay]
        try copy.start()
        for id in [FileID(1), FileID(2)] {
            try copy.transfers?.receive(recipients[0], to: LocalFile(path: "\(copy.path)/x"), for: id.number, as: id)
        }
        copy.wait("failed") { copy.failures.count == 2 }
        for person in [alice, bob, copy] { try person.start() }
        #expect(alice.sent[Self.file]?.recipients.first?.text == recipients[0].text)
        #expect(bob.received[Self.file]?.path == "\(bob.path)/received.txt")
        #expect(copy.ended == [FileID(1): "file.gone", FileID(2): "file.gone"])
        try alice.transfers?.forgetSent(Self.file)
        try bob.transfers?.forgetReceived(Self.file)
        try copy.transfers?.forgetAll(of: 2)
        #expect(alice.store.uploads().isEmpty && bob.store.downloads().isEmpty)
        #expect(copy.store.downloads().map(\.id) == [FileID(1)])
        // The sender's description is enough to delete the file.
        try alice.transfers?.delete([try FileDescription(text: sender[0].text)], for: 1, as: FileID(20))
        alice.wait("deleted") { alice.deleted == [FileID(20)] }
        #expect(relay.chunks.isEmpty)
        #expect(throws: FileFailure.description(.party)) {
            try alice.transfers?.delete(sender + [recipients[0]], for: 1, as: FileID(21))
        }
    }

    @Test func locallyEncryptedFiles() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let content = Self.content(300_000)
        let key = FileEncryptionKey(random: SystemRandom())
        var stream = SecretBoxStream(nonce: key.nonce, key: key.key)
        let stored = stream.encrypt(content)
        let encrypted = stored + stream.tag()
        _ = try alice.write("source", encrypted)
        try alice.start()
        try alice.transfers?.send(
            LocalFile(path: "\(alice.path)/source", key: key), name: "a", recipients: 1, for: 1, as: Self.file)
        alice.wait("sent") { alice.sent[Self.file] != nil }
        let description = try #require(alice.sent[Self.file]?.recipients.first)
        try receive(description, by: bob, as: FileID(1))
        #expect(try Files.read("\(bob.path)/received.txt", limit: content.count) == content)
        bob.wait("acknowledged") { relay.chunks.values.allSatisfy { $0.recipients.isEmpty } }
        try receive(description, by: bob, as: FileID(2), key: key)
        #expect(bob.failures[FileID(2)]?.code == "file.gone")
        // Another key does not open the source.
        try alice.transfers?.send(
            LocalFile(path: "\(alice.path)/source", key: FileEncryptionKey(random: SystemRandom())), name: "a",
            recipients: 1, for: 1, as: FileID(8))
        alice.wait("failed") { alice.failures[FileID(8)] != nil }
        #expect(alice.failures[FileID(8)] == .wrongFile(.authentication))
    }

    @Test func encryptedTargetIsReadable() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        alice.relays = [try MemoryFileRelay(loop)]
        let content = Self.content(300_000), key = FileEncryptionKey(random: SystemRandom())
        let (_, recipients) = try send(content, from: alice)
        try receive(recipients[0], by: bob, key: key)
        let stored = try Files.read("\(bob.path)/received.txt", limit: 400_000)
        var stream = SecretBoxStream(nonce: key.nonce, key: key.key)
        #expect(stream.decrypt(Bytes(stored.dropLast(16))) == content)
        #expect(stream.tag() == Bytes(stored.suffix(16)))
    }

    @Test func cancelledDownloadLeavesNothing() throws {
        let loop = try EventLoop(), alice = try Person(loop), bob = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        let (_, recipients) = try send(Self.content(10), from: alice)
        relay.ignores = { _ in true }
        try bob.start()
        try bob.transfers?.receive(
            recipients[0], to: LocalFile(path: "\(bob.path)/received.txt"), for: 1, as: Self.file)
        bob.wait("requested") { relay.count(.fget) == 1 }
        try bob.transfers?.forgetReceived(Self.file)
        #expect(try bob.names() == [] && bob.stagedNames() == [])
        #expect(bob.store.downloads().isEmpty)
        relay.ignores = { _ in false }
        try receive(recipients[0], by: bob, as: FileID(8))
        #expect(bob.received[FileID(8)] != nil)
    }

    @Test func unreadableSourcesAreRefused() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        try alice.start()
        #expect(throws: FileFailure.self) {
            try alice.transfers?.send(
                LocalFile(path: "\(alice.path)/missing"), name: "a", recipients: 1, for: 1, as: Self.file)
        }
        #expect(throws: FileFailure.sourceSize) {
            try alice.transfers?.send(LocalFile(path: alice.path), name: "a", recipients: 1, for: 1, as: Self.file)
        }
        #expect(alice.store.uploads().isEmpty)
    }

    @Test func failingStorageStops() throws {
        let loop = try EventLoop(), alice = try Person(loop)
        let relay = try MemoryFileRelay(loop)
        alice.relays = [relay]
        try alice.start()
        relay.intercept = { command in
            if case .fput = command { alice.store.isBroken = true }
            return nil
        }
        let source = try alice.write("source", [1])
        try alice.transfers?.send(source, name: "a", recipients: 1, for: 1, as: Self.file)
        alice.wait("stopped") { alice.storageFailures == 1 }
        #expect(alice.sent.isEmpty && alice.failures.isEmpty)
        #expect(throws: MemoryTransferStore.Broken.self) {
            try alice.transfers?.send(source, name: "a", recipients: 1, for: 1, as: FileID(8))
        }
        alice.store.isBroken = false
        relay.intercept = { _ in nil }
        try alice.start()
        alice.wait("sent") { alice.sent[Self.file] != nil }
        #expect(relay.count(.fnew) == 1 && relay.count(.fput) == 2)
    }
}
