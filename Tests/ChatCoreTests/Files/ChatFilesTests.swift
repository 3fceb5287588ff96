import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol
import Store
import SystemIO
import TestSupport
import Testing
import XFTPClient
import XFTPProtocol

@testable import ChatCore

/// Files of messages: what is stored, what the transfers are given, and what contacts are told.
@Suite struct ChatFilesTests {
    // MARK: - Sending

    @Test func a_file_is_offered_uploaded_and_described() throws {
        let bench = try FileBench()
        try bench.make("plan.pdf")
        let item = try bench.send("plan.pdf", "the plan"), file = try #require(item.file)
        #expect(file.state == .sentStored && file.size == 100 && file.source == CryptoFile(path: "plan.pdf"))
        guard case .message(let container) = bench.bench.agent.sent.first?.message.event else {
            Issue.record("nothing was sent")
            return
        }
        #expect(container.file == FileInvitation(name: "plan.pdf", size: 100))
        let upload = try #require(bench.transfers.uploads.first)
        #expect(upload.recipients == 4 && !upload.usesRedirect && upload.source.path.hasSuffix("/files/plan.pdf"))

        bench.files.handle(.sent(upload.id, sender: [FileBench.description], recipients: [FileBench.description]))
        let sent = try #require(bench.bench.agent.sent.last)
        guard case .fileDescription(let part) = sent.message.event else {
            Issue.record("the file was not described")
            return
        }
        #expect(
            part.messageID == item.sharedID && part.description.isComplete && part.description.text == FileBench.text)
        #expect(try bench.state(file.id) == .sending(128 << 10, total: 128 << 10))
        #expect(bench.transfers.forgotten == [upload.id])
        // It is with the relay of the contact.
        let connection = try #require(bench.bob.connection)
        _ = bench.bench.events()
        bench.inbox.handle(bench.bench.event(connection.id, .sent(token: sent.token)))
        #expect(try bench.state(file.id) == .sentComplete)
        #expect(bench.bench.eventTypes() == ["sndFileCompleteXFTP"])
    }

    @Test func an_interrupted_upload_is_given_again_with_its_id() throws {
        let bench = try FileBench()
        try bench.make("a")
        try bench.send("a")
        let first = try #require(bench.transfers.uploads.first)
        try bench.restart()
        #expect(bench.transfers.uploads.map(\.id) == [first.id])
        // What was described before the end is not described again.
        bench.files.handle(.sent(first.id, sender: [FileBench.description], recipients: [FileBench.description]))
        let count = bench.bench.agent.sent.count
        bench.files.handle(.sent(first.id, sender: [FileBench.description], recipients: [FileBench.description]))
        #expect(bench.bench.agent.sent.count == count)
    }

    @Test func a_long_description_is_sent_in_parts() {
        let text = String(repeating: "x", count: 30_000)
        let parts = ChatFiles.parts(text, of: Workbench.sharedID(1)).compactMap { event in
            if case .fileDescription(let part) = event { part.description } else { nil as DescriptionPart? }
        }
        #expect(parts.map(\.part) == [1, 2, 3] && parts.map(\.isComplete) == [false, false, true])
        #expect(parts.map(\.text).joined() == text)
    }

    @Test func folders_and_missing_files_are_not_sent() throws {
        let bench = try FileBench()
        try Files.createFolder(bench.files.ownFolder + "/folder")
        #expect(throws: ChatError.file(.folder("folder"))) { try bench.send("folder") }
        #expect(throws: ChatError.file(.missing("none"))) { try bench.send("none") }
        #expect(try bench.bench.items(bench.bob).isEmpty)
    }

    @Test func a_file_that_is_gone_is_told() throws {
        let bench = try FileBench()
        try bench.make("a")
        bench.transfers.sendError = .sourceSize
        let item = try bench.send("a")
        #expect(try bench.state(#require(item.file).id) == .sentError(.noFile))
        #expect(bench.bench.eventTypes().contains("sndFileError"))
    }

    @Test func a_cancelled_file_is_deleted_at_its_relays_and_its_recipient_is_told() throws {
        let bench = try FileBench()
        try bench.make("a")
        let item = try bench.send("a"), id = try #require(item.file).id
        let upload = try #require(bench.transfers.uploads.first)
        #expect(try bench.files.cancel(id).file.state == .sentCancelled)
        #expect(bench.transfers.deleted == [upload.id])
        guard case .fileCancelled(let shared, _) = bench.bench.agent.sent.last?.message.event else {
            Issue.record("nothing was told")
            return
        }
        #expect(shared == item.sharedID)
        #expect(throws: ChatError.self) { try bench.files.cancel(id) }
    }

    // MARK: - Receiving

    @Test func a_file_is_accepted_before_its_description() throws {
        let bench = try FileBench(), file = try bench.offer("song.ogg")
        #expect(file.state == .offered && file.source == nil)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloads.isEmpty)
        let (first, second) = (String(FileBench.text.prefix(200)), String(FileBench.text.dropFirst(200)))
        bench.describe(first, isComplete: false)
        // The second comes twice, and one that is not the next.
        bench.describe("x", part: 3)
        bench.describe(first, isComplete: false)
        _ = bench.bench.events()
        bench.describe(second, part: 2)
        #expect(bench.bench.eventTypes() == ["rcvFileDescrReady", "rcvFileStart"])
        let download = try #require(bench.transfers.downloads.first)
        #expect(download.target.path == bench.files.ownFolder + "/song.ogg")
        bench.files.handle(.receiving(download.id, received: 5, total: 9))
        #expect(try bench.state(file.id) == .receiving(5, total: 9))
        bench.files.handle(.received(download.id, path: bench.files.ownFolder + "/song_1.ogg", name: "song.ogg"))
        #expect(try bench.item(1).file?.source == CryptoFile(path: "song_1.ogg"))
        #expect(try bench.state(file.id) == .received)
        #expect(bench.bench.eventTypes() == ["rcvFileProgressXFTP", "rcvFileComplete"])
        #expect(throws: ChatError.file(.receiving("song.ogg"))) { try bench.files.accept(file.id, .init()) }
    }

    @Test func unknown_relays_need_approval() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        try bench.bench.store.transaction { try bench.bench.store.setFileServers([], of: ProfileID(1)) }
        bench.describe(FileBench.text)
        let server = FileBench.description.servers[0].text(scheme: .xftp)
        #expect(throws: ChatError.file(.notApproved(file.id, [server]))) { try bench.files.accept(file.id, .init()) }
        #expect(try bench.state(file.id) == .offered)
        _ = try bench.files.accept(file.id, .init(isApproved: true))
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloads.count == 1)
        // One that was accepted before it was known where it is.
        let other = try bench.offer("b", 2)
        _ = try bench.files.accept(other.id, .init())
        bench.describe(FileBench.text, of: 2)
        #expect(try bench.state(other.id) == .offered && bench.transfers.downloads.count == 1)
        #expect(bench.bench.eventTypes().contains("chatError"))
    }

    @Test(arguments: [
        // One unknown host is enough, wherever it stands.
        "attacker.example,127.0.0.1:25443", "127.0.0.1,attacker.example:25443", "attacker.example:25443",
        "127.0.0.1:25444", "127.0.0.1",
    ])
    func a_relay_with_a_host_that_the_profile_does_not_know_needs_approval(_ location: String) throws {
        let bench = try FileBench(), file = try bench.offer("a"), server = try FileBench.server(location)
        bench.describe(FileBench.text.replacing("127.0.0.1:25443", with: location))
        #expect(throws: ChatError.file(.notApproved(file.id, [server.text(scheme: .xftp)]))) {
            try bench.files.accept(file.id, .init())
        }
        #expect(bench.transfers.downloads.isEmpty)
        // Accepted before it is known where it is.
        let other = try bench.offer("b", 2)
        _ = try bench.files.accept(other.id, .init())
        bench.describe(FileBench.text.replacing("127.0.0.1:25443", with: location), of: 2)
        #expect(try bench.state(other.id) == .offered && bench.transfers.downloads.isEmpty)
        // The user's approval allows the received address.
        _ = try bench.files.accept(file.id, .init(isApproved: true))
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloadServers == [server])
    }

    @Test func a_known_relay_is_reached_at_its_stored_address() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        let stored = try FileBench.server("files.example,127.0.0.1:25443")
        try bench.bench.store.transaction {
            try bench.bench.store.setFileServers([ConfiguredServer(address: stored)], of: ProfileID(1))
        }
        bench.describe(FileBench.text)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloadServers == [stored])
    }

    @Test func a_transfer_that_goes_on_asks_for_relays_that_are_unknown_now() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        bench.describe(FileBench.text)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        let transfer = try #require(bench.transfers.downloads.first).id
        try bench.bench.store.transaction { try bench.bench.store.setFileServers([], of: ProfileID(1)) }
        try bench.restart()
        #expect(bench.transfers.downloads.isEmpty && bench.transfers.forgotten == [transfer])
        #expect(try bench.state(file.id) == .offered)
    }

    @Test func a_malformed_description_ends_the_file() throws {
        for text in ["", "no description", FileBench.text.replacing("recipient", with: "sender")] {
            let bench = try FileBench(), file = try bench.offer("a")
            bench.describe(text)
            #expect(try bench.state(file.id) == .receivedError(.other("file.description")))
            #expect(bench.bench.eventTypes().contains("rcvFileError"))
        }
    }

    @Test func damaged_descriptions_never_trap() throws {
        let bench = try FileBench(), bytes = Bytes(FileBench.text.utf8)
        for (number, index) in stride(from: 0, to: bytes.count, by: 11).enumerated() {
            let id = UInt8(number % 250 + 1)
            var damaged = bytes
            damaged[index] ^= 1
            _ = try? bench.offer("a", id)
            bench.describe(String(decoding: damaged, as: UTF8.self), of: id)
            bench.describe(String(decoding: bytes.prefix(index), as: UTF8.self), of: id)
        }
        #expect(bench.bench.context.failure == nil)
    }

    @Test func the_sender_withdraws_a_file() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        bench.inbox.handle(bench.bench.message(.fileCancelled(Workbench.sharedID(1)), from: bench.bob))
        #expect(try bench.state(file.id) == .receivedCancelled)
        #expect(throws: ChatError.file(.cancelled("a"))) { try bench.files.accept(file.id, .init()) }
    }

    @Test func a_cancelled_download_can_be_accepted_again() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        bench.describe(FileBench.text)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        let download = try #require(bench.transfers.downloads.first)
        #expect(try bench.files.cancel(file.id).file.state == .offered)
        #expect(bench.transfers.forgotten == [download.id])
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloads.count == 2)
    }

    @Test func declined_offers_are_aborted_and_can_be_accepted() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        #expect(try bench.files.cancel(file.id, declines: true).file.state == .aborted)
        bench.describe(FileBench.text)
        bench.bench.environment.pass(.zero)
        #expect(try bench.state(file.id) == .aborted && bench.transfers.downloads.isEmpty)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloads.count == 1)
        #expect(try bench.files.cancel(file.id, declines: true).file.state == .aborted)
    }

    @Test func files_are_accepted_without_asking_by_kind_and_size() throws {
        let bench = try FileBench()
        try bench.bench.store.transaction { try bench.bench.store.setFileAcceptance([.file: 50]) }
        #expect(try bench.offer("large", 1, size: 51).state == .offered)
        #expect(try bench.offer("small", 2, size: 50).state == .accepted)
    }

    @Test func a_process_and_a_command_accept_files_in_their_own_way() async throws {
        let bench = try FileBench()
        try bench.bench.store.transaction { try bench.bench.store.setFileAcceptance([.file: 50]) }
        bench.files.acceptance = FileAcceptance([.file: 200])
        #expect(try bench.offer("a", 1, size: 100).state == .accepted)
        #expect(try bench.offer("b", 2, size: 201).state == .offered)
        bench.describe(FileBench.text, of: 1)
        #expect(try bench.files.acceptedSizes() == [.file: 200])
        await bench.files.accepting(FileAcceptance()) {
            #expect((try? bench.files.acceptedSizes()) == [:])
            await bench.files.accepting(nil) { #expect((try? bench.files.acceptedSizes()) == [:]) }
            await bench.files.accepting(.all) {
                #expect((try? bench.files.acceptedSizes()) == FileAcceptance.all.sizes)
            }
            #expect((try? bench.files.acceptedSizes()) == [:])
        }
        #expect(try bench.files.acceptedSizes() == [.file: 200])
        bench.files.acceptance = nil
        #expect(try bench.files.acceptedSizes() == [.file: 50])
    }

    @Test(arguments: [(0 as Int64, 4), (3, 4), (7, 7)])
    func an_upload_has_a_link_for_each_recipient(wanted: Int64, links: Int) throws {
        let bench = try FileBench()
        try bench.make("a")
        let profile = try #require(try bench.bench.store.activeProfile())
        _ = try bench.files.upload(CryptoFile(path: "a"), of: profile, recipients: wanted)
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.uploads.map(\.recipients) == [links])
        // A process that ends before the transfers have it does not forget the number.
        try bench.restart()
        #expect(bench.transfers.uploads.map(\.recipients) == [links])
    }

    @Test(arguments: [
        ("new/", "new/download", ""), ("there", "there/download", ""), ("there/", "there/download", ""),
        ("new", "new", "new"),
    ])
    func the_file_of_a_link_goes_into_a_folder(_ place: String, _ path: String, _ name: String) throws {
        let bench = try FileBench()
        try Files.createFolder("\(bench.files.folder)/there")
        let profile = try #require(try bench.bench.store.activeProfile())
        let record = try bench.files.download(
            FileLink(description: FileBench.description), to: CryptoFile(path: place), of: profile)
        #expect(record.file.name == name)
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloads.map(\.target.path) == ["\(bench.files.folder)/\(path)"])
        #expect(Files.isFolder("\(bench.files.folder)/new") == (place == "new/"))
    }

    @Test func a_file_of_an_old_version_is_not_received() throws {
        let bench = try FileBench()
        let container = MessageContainer(
            MessageContent("", kind: .file),
            otherFields: ["file": .object(["fileName": "a", "fileSize": 3, "fileInline": "sent"])])
        bench.inbox.handle(bench.bench.message(.message(container), 1, from: bench.bob))
        let file = try #require(try bench.item(1).file)
        #expect(file.transport == .smp)
        #expect(throws: ChatError.file(.inline(file.id))) { try bench.files.accept(file.id, .init()) }
        // A file that cannot be read does not cost the message.
        let broken = MessageContainer(MessageContent("hi"), otherFields: ["file": "x"])
        bench.inbox.handle(bench.bench.message(.message(broken), 2, from: bench.bob))
        #expect(try bench.item(2).file == nil)
    }

    // MARK: - Hostile offers

    @Test func descriptions_of_other_sizes_than_offered_are_refused() throws {
        for size: Int64 in [0, 100, 60_000, 131_072, 1 << 30, XFTP.hardFileLimit, Int64.max] {
            let bench = try FileBench()
            try bench.bench.store.transaction { try bench.bench.store.setFileAcceptance([.file: Int64.max]) }
            let file = try bench.offer("a", size: size)
            #expect(file.state == .accepted)
            bench.describe(FileBench.text)
            #expect(try bench.state(file.id) == .receivedError(.other("file.description")))
            #expect(bench.transfers.downloads.isEmpty)
        }
    }

    /// What is accepted for its size must not become large through another description.
    @Test func a_redirect_in_a_message_is_refused() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        _ = try bench.files.accept(file.id, .init())
        let real = FileBench.description
        let redirected = try FileDescription(
            party: .recipient, size: real.size, digest: real.digest, key: real.key, chunkSize: real.chunkSize,
            chunks: real.chunks,
            redirect: FileDescription.Redirect(size: XFTP.hardFileLimit, digest: Bytes(repeating: 1, count: 64)))
        bench.describe(redirected.text)
        #expect(try bench.state(file.id) == .receivedError(.other("file.description")))
        #expect(bench.transfers.downloads.isEmpty)
    }

    @Test func sizes_of_offers_are_checked_by_the_transfers() throws {
        let bench = try FileBench(), file = try bench.offer("a", size: 70001)
        bench.describe(FileBench.text)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloadSizes == [70001])
    }

    @Test(arguments: [
        "../x", "../../x", "a/b", "a/", "..", ".", "", "a/\u{301}b", "..\u{2F}\u{301}x", "./x", "a\0b",
    ])
    func a_path_of_the_database_that_leads_out_of_the_folder_is_none(_ path: String) throws {
        let bench = try FileBench(), store = bench.bench.store
        try Files.create(bench.bench.folder.path + "/x", [1])
        let id = try bench.offer("song.ogg").id
        bench.describe(FileBench.text)
        _ = try bench.files.accept(id, .init())
        bench.bench.environment.pass(.zero)
        let download = try #require(bench.transfers.downloads.first)
        bench.files.handle(.received(download.id, path: bench.files.ownFolder + "/song.ogg", name: "song.ogg"))
        try store.transaction {
            try store.database.run("UPDATE files SET path = ?, name = ? WHERE file_id = ?", path, path, id.number)
        }
        let record = try #require(try store.file(id))
        #expect(record.file.source == nil && record.file.state == .received)
        #expect(!record.file.name.utf8.contains(UInt8(ascii: "/")) && record.file.name != "..")
        #expect(try bench.item(1).file?.source == nil)
        #expect(try bench.files.listed(record).path == nil)
        let profile = try #require(try store.profile(ProfileID(1)))
        #expect(
            try bench.files.purge(profile, before: Timestamp(milliseconds: .max), isDry: false).isEmpty)
        try bench.files.removeOwnCopy(record)
        #expect(Files.exists(bench.bench.folder.path + "/x"))
        // An import keeps no path of that kind.
        try store.transaction { try store.forgetForeignPaths() }
        let left = try store.database.first("SELECT count(*) FROM files WHERE path IS NOT NULL") {
            row throws(StoreError) in
            try row.int64()
        }
        #expect(left == 0)
    }

    @Test func an_import_keeps_names_in_the_folder_only() throws {
        let bench = try FileBench(), store = bench.bench.store
        try bench.make("kept.txt")
        try bench.send("kept.txt")
        try bench.make("lost.txt")
        let lost = try #require(try bench.send("lost.txt").file), offer = try bench.offer("a", 2)
        _ = try bench.files.accept(offer.id, .init())
        let place = try #require(try store.file(offer.id)?.file.source?.path)
        for (id, path) in [(lost.id, "/etc/passwd"), (offer.id, "/tmp/\(place)")] {
            try store.transaction { try store.update(id, source: CryptoFile(path: path)) }
        }
        try store.transaction { try store.forgetForeignPaths() }
        #expect(try store.file(lost.id)?.file.source == nil)
        #expect(try bench.state(lost.id) == .sentError(.noFile))
        #expect(try store.file(lost.id)?.transfer == nil)
        #expect(try store.file(offer.id)?.file.source == nil)
        #expect(try bench.state(offer.id) == .offered)
        let kept = try store.files(of: ProfileID(1)).filter { $0.file.source != nil }
        #expect(kept.map(\.file.source?.path) == ["kept.txt"] && kept.allSatisfy { $0.file.state.isUnderWay })
    }

    @Test func digests_of_offers_are_checked_by_the_transfers() throws {
        let digest = Bytes(repeating: 5, count: 64)
        for (text, expected) in [
            (Base64URL.encode(digest), digest), ("", nil), ("x", nil), (Base64URL.encode([1, 2]), nil),
        ] {
            let bench = try FileBench()
            let description: JSONObject = [
                "fileDescrText": "", "fileDescrPartNo": 0, "fileDescrComplete": false,
            ]
            let file = try bench.offer(
                "a", fields: ["fileDescr": .object(description), "fileDigest": .string(text)])
            _ = try bench.files.accept(file.id, .init())
            bench.describe(FileBench.text)
            #expect(bench.transfers.downloads.map(\.digest) == [expected])
        }
    }

    @Test(arguments: [
        String(repeating: " ", count: 5000), String(repeating: " ", count: 300) + "a", "\u{3164}\u{3164}", "\u{2003}",
        String(repeating: "\u{2800}", count: 4000) + ".", "a" + String(repeating: "\u{0301}", count: 3000),
    ])
    func names_that_show_nothing_are_replaced(_ name: String) throws {
        let safe = FileName.safe(name)
        #expect(safe == "file" && !safe.isEmpty && safe.utf8.count <= 200)
        #expect(try FileBench().offer(name).name == safe)
    }

    // MARK: - Old versions

    private func inline(_ mode: String) -> JSONObject { ["fileInline": .string(mode)] }

    @Test func a_small_file_of_an_old_version_is_received_in_pieces() throws {
        let bench = try FileBench(), content = Bytes((0..<40_000).map { UInt8($0 % 251) })
        let file = try bench.offer("old/song.ogg", size: 40_000, fields: inline("offer"))
        #expect(file.transport == .smp && file.state == .offered && file.name == "song.ogg")
        // Nobody asked for them.
        bench.piece(1, Bytes(content.prefix(15780)))
        #expect(try bench.state(file.id) == .offered)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        guard case .other(let name, let parameters) = bench.bench.agent.sent.last?.message.event else {
            Issue.record("the sender was not told")
            return
        }
        #expect(name == "x.file.acpt.inv" && parameters["fileName"] == "song.ogg")
        #expect(parameters["msgId"]?.string == Base64URL.encode(Workbench.sharedID(1).bytes))
        _ = bench.bench.events()
        bench.piece(1, Bytes(content.prefix(15780)))
        // It comes again after a crash.
        bench.piece(1, Bytes(content.prefix(15780)))
        bench.piece(2, Bytes(content[15780..<31560]))
        #expect(try bench.state(file.id) == .receiving(31560, total: 40_000))
        #expect(!Files.exists(bench.files.ownFolder + "/song.ogg"))
        try bench.restart()
        bench.piece(3, Bytes(content.dropFirst(31560)))
        #expect(try bench.state(file.id) == .received)
        #expect(try Files.read(bench.files.ownFolder + "/song.ogg", limit: 50_000) == content)
        #expect(bench.bench.eventTypes() == ["rcvFileStart", "rcvFileComplete"])
    }

    @Test func pieces_that_do_not_fit_end_a_file() throws {
        let full = Bytes(repeating: 1, count: 15780)
        for pieces: [(Int, Bytes)] in [
            [(2, full)], [(1, full), (3, full)], [(1, [1])], [(1, full + [1])], [(1, full), (2, full), (3, full)],
            [(1, [])],
        ] {
            let bench = try FileBench()
            let file = try bench.offer("a", size: 40_000, fields: inline("offer"))
            _ = try bench.files.accept(file.id, .init())
            for (number, bytes) in pieces { bench.piece(number, bytes) }
            #expect(try bench.state(file.id) == .receivedError(.other("file.pieces")))
            #expect(try Files.names(in: bench.files.ownFolder) == [])
        }
    }

    @Test func the_sender_of_pieces_cancels() throws {
        let bench = try FileBench(), file = try bench.offer("a", size: 40_000, fields: inline("offer"))
        _ = try bench.files.accept(file.id, .init())
        bench.piece(1, Bytes(repeating: 1, count: 15780))
        bench.piece(0, [])
        #expect(try bench.state(file.id) == .receivedCancelled)
    }

    @Test func large_files_of_old_versions_are_not_received() throws {
        let bench = try FileBench()
        let file = try bench.offer("a", size: 8 * 15780 + 1, fields: inline("offer"))
        #expect(throws: ChatError.file(.inline(file.id))) { try bench.files.accept(file.id, .init()) }
        _ = try bench.files.accept(file.id, .init(isInline: true))
        #expect(try bench.state(file.id) == .accepted)
        let larger = try bench.offer("b", 2, size: 15 * 15780 + 1, fields: inline("offer"))
        #expect(throws: ChatError.file(.inline(larger.id))) {
            try bench.files.accept(larger.id, .init(isInline: true))
        }
    }

    @Test func voice_messages_of_old_versions_come_at_once() throws {
        let bench = try FileBench()
        let voice = try bench.offer("v.m4a", size: 3, fields: inline("sent"), kind: .voice(seconds: 2))
        #expect(voice.state == .accepted)
        bench.piece(1, [1, 2, 3])
        #expect(try bench.state(voice.id) == .received)
        #expect(try Files.read(bench.files.ownFolder + "/v.m4a", limit: 9) == [1, 2, 3])
        // Other files that follow at once are wanted or not.
        let other = try bench.offer("a", 2, size: 3, fields: inline("sent"))
        #expect(other.state == .offered)
        bench.piece(1, [1, 2, 3], of: 2)
        #expect(try bench.state(other.id) == .offered)
        // One with a connection of its own is older still.
        let fields: JSONObject = ["fileInline": "sent", "fileConnReq": "simplex:/invitation"]
        #expect(try bench.offer("v", 3, size: 3, fields: fields, kind: .voice(seconds: 2)).state == .offered)
    }

    @Test func a_small_file_of_an_old_version_comes_from_a_member() throws {
        let team = try GroupBench(), bench = team.bench, files = bench.files()
        let bob = try team.member("bob"), cath = try team.member("cath")
        files.ownFolder = bench.folder.path + "/files"
        try Files.createFolder(files.ownFolder)
        let content = Bytes((0..<20_000).map { UInt8($0 % 251) })
        let offer: JSONObject = ["fileName": "song.ogg", "fileSize": 20_000, "fileInline": "offer"]
        let container = MessageContainer(MessageContent("", kind: .file), otherFields: ["file": .object(offer)])
        try team.receive(.message(container), 1, from: bob)
        func file() throws -> ChatFile { try #require(try team.items().first?.file) }
        func piece(_ number: UInt8, _ bytes: Bytes, from member: GroupMember) {
            let chunk = FileChunk(messageID: Workbench.sharedID(1), .data(number: number, bytes))
            let message = ReceivedMessage(
                number: 1, hash: [], relayTime: bench.now, integrity: .ok, isPostQuantum: false, body: chunk.encoded)
            let connection = member.connection?.id ?? ConnectionID(0)
            team.inbox.handle(bench.event(connection, .connection(.msg(message))))
            bench.environment.pass(.zero)
        }
        #expect(try file().state == .offered)
        _ = try files.accept(file().id, .init())
        bench.environment.pass(.zero)
        #expect(team.sent(to: bob).last?.event.name == "x.file.acpt.inv" && team.sent(to: cath).isEmpty)
        _ = bench.events()
        // Another member has nothing to say about it.
        piece(1, Bytes(repeating: 9, count: 15780), from: cath)
        #expect(try file().state == .accepted)
        piece(1, Bytes(content.prefix(15780)), from: bob)
        piece(2, Bytes(content.dropFirst(15780)), from: bob)
        #expect(try file().state == .received)
        #expect(try Files.read(files.ownFolder + "/song.ogg", limit: 50_000) == content)
        #expect(bench.eventTypes() == ["rcvFileStart", "rcvFileComplete"])
    }

    // MARK: - The end

    @Test func a_description_that_does_not_come_ends_its_file() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.seconds(47 * 3600))
        #expect(try bench.state(file.id) == .accepted)
        _ = bench.bench.events()
        bench.bench.environment.pass(.seconds(2 * 3600))
        #expect(try bench.state(file.id) == .receivedError(.gone))
        #expect(bench.bench.eventTypes() == ["rcvFileError"])
        // It comes late.
        bench.describe(FileBench.text)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.downloads.count == 1)
    }

    /// An own file that relays have.
    private func complete(_ bench: FileBench, _ name: String) throws -> ChatItem {
        try bench.make(name)
        let item = try bench.send(name), upload = try #require(bench.transfers.uploads.last)
        let sender = try FileDescription(text: FileBench.text.replacing("recipient", with: "sender"))
        // As of a file with a redirect.
        bench.files.handle(.sent(upload.id, sender: [sender, sender], recipients: [FileBench.description]))
        let connection = try #require(bench.bob.connection), token = bench.bench.agent.sent.last?.token
        bench.inbox.handle(bench.bench.event(connection.id, .sent(token: token ?? [])))
        #expect(try bench.state(try #require(item.file).id) == .sentComplete)
        return item
    }

    @Test func deletion_for_all_deletes_the_file_at_its_relays() throws {
        let bench = try FileBench(), chat = ChatTarget.reference(.direct(bench.bob.id))
        let kept = try complete(bench, "a"), item = try complete(bench, "b"), id = try #require(item.file).id
        try bench.bench.store.transaction {
            for id in [kept.id, item.id] { try bench.bench.store.update(id, status: .sendSent) }
        }
        _ = try bench.inbox.conversations.delete(DeleteItems(chat, [kept.id], .internal))
        try bench.files.removeOrphans()
        #expect(bench.transfers.deleted.isEmpty)
        _ = try bench.inbox.conversations.delete(DeleteItems(chat, [item.id], .broadcast))
        try bench.files.removeOrphans()
        #expect(bench.transfers.deleted.count == 1 && bench.transfers.deletedDescriptions.count == 2)
        // The entry is marked only, and its copy stays with it.
        #expect(try bench.state(id) == .sentCancelled && Files.exists(bench.files.ownFolder + "/b"))
        try bench.files.removeOrphans()
        #expect(bench.transfers.deleted.count == 1)
    }

    @Test func a_message_that_disappears_takes_its_file_along() throws {
        let bench = try FileBench(), item = try complete(bench, "a")
        let expiry = bench.bench.expiry()
        expiry.whenRemoved = { try bench.files.removeOrphans(isActive: false) }
        try bench.bench.store.transaction {
            try bench.bench.store.update(item.id, status: .sendSent)
            try bench.bench.store.database.run("UPDATE items SET ttl = 60 WHERE item_id = ?", item.id.number)
            try bench.bench.store.startTimer(of: item.id, at: bench.bench.now)
        }
        bench.files.pause()
        bench.bench.environment.pass(.seconds(61))
        try expiry.removeExpired()
        // Relays are told with the next command that uses the network; the copy goes at once.
        #expect(!Files.exists(bench.files.ownFolder + "/a") && bench.transfers.deleted.isEmpty)
        try bench.restart()
        #expect(bench.transfers.deleted.count == 1)
        #expect(try bench.bench.store.orphanedFiles().isEmpty)
    }

    @Test func a_file_of_a_message_that_its_author_deletes_is_not_received() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        bench.describe(FileBench.text)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        let download = try #require(bench.transfers.downloads.first)
        bench.inbox.handle(bench.bench.message(.deletion(MessageDeletion(Workbench.sharedID(1))), from: bench.bob))
        bench.bench.environment.pass(.zero)
        #expect(bench.transfers.forgotten == [download.id])
        #expect(try bench.state(file.id) == .receivedCancelled)
    }

    @Test func a_full_disk_is_told_and_looked_at_again() throws {
        let bench = try FileBench(), file = try bench.offer("a")
        bench.describe(FileBench.text)
        _ = try bench.files.accept(file.id, .init())
        bench.bench.environment.pass(.zero)
        let download = try #require(bench.transfers.downloads.first)
        _ = bench.bench.events()
        bench.files.handle(.warning(download.id, .staging(SystemError.fullDisk)))
        #expect(try bench.state(file.id) == .receivedWarning(.fullDisk))
        let event = try #require(bench.bench.events().first as? FileReceivingDelayedEvent)
        #expect(event.notice?.slug == "file.download-waits" && FileProblem.fullDisk.needsRoom)
        #expect(bench.files.isIdle)
        bench.files.retry(try #require(try bench.bench.store.file(file.id)))
        #expect(bench.transfers.retried == [download.id] && !bench.files.isIdle)
        #expect(FileProblem(.relay(FileBench.description.servers[0], .refused(.quota))) == .fullRelays)
    }

    // MARK: - Removing

    @Test func a_file_goes_with_its_message() throws {
        let bench = try FileBench()
        try bench.make("a")
        try bench.make("b")
        let sent = try bench.send("a"), absolute = try bench.send(bench.files.ownFolder + "/b")
        let upload = try #require(bench.transfers.uploads.first)
        for item in [sent, absolute] {
            _ = try bench.inbox.conversations.delete(
                DeleteItems(.reference(.direct(bench.bob.id)), [item.id], .internal))
        }
        try bench.files.removeOrphans()
        #expect(bench.transfers.deleted.contains(upload.id))
        #expect(!Files.exists(bench.files.ownFolder + "/a"))
        #expect(try bench.bench.store.orphanedFiles().isEmpty)
    }

    @Test func files_of_the_user_stay() throws {
        let bench = try FileBench(), path = bench.bench.folder.path + "/own.txt"
        try Files.create(path, [1, 2, 3])
        let item = try bench.send(path)
        _ = try bench.inbox.conversations.delete(DeleteItems(.reference(.direct(bench.bob.id)), [item.id], .internal))
        try bench.files.removeOrphans()
        #expect(Files.exists(path))
    }

    @Test func a_file_that_was_passed_on_stays_until_its_last_message_goes() throws {
        let bench = try FileBench(), chat = ChatTarget.reference(.direct(bench.bob.id))
        try bench.make("a")
        let first = try bench.send("a")
        let second = try #require(
            try bench.inbox.conversations.forward([first.id], from: chat, to: chat).items.first?.item)
        #expect(second.file?.source == first.file?.source)
        _ = try bench.inbox.conversations.delete(DeleteItems(chat, [first.id], .internal))
        try bench.files.removeOrphans()
        #expect(Files.exists(bench.files.ownFolder + "/a"))
        _ = try bench.inbox.conversations.delete(DeleteItems(chat, [second.id], .internal))
        try bench.files.removeOrphans()
        #expect(!Files.exists(bench.files.ownFolder + "/a"))
    }

    // MARK: - Names

    @Test(arguments: [
        ("plan.pdf", "plan.pdf"), ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("a\\b\\c.txt", "c.txt"),
        ("..", "file"), (".", "file"), ("", "file"), ("///", "file"), (".bashrc", "_bashrc"), ("..x", "_.x"),
        ("a\u{1b}[31m.txt", "a_[31m.txt"), ("exe\u{202e}txt.pdf", "exe_txt.pdf"), ("a\nb", "a_b"), ("a\0b", "b"),
        (" ", "file"),
    ])
    func names_of_senders_are_made_safe(_ name: String, _ safe: String) throws {
        #expect(FileName.safe(name) == safe)
        let bench = try FileBench()
        #expect(try bench.offer(name).name == safe)
    }

    @Test func long_names_are_cut_and_keep_their_extension() {
        let name = FileName.safe(String(repeating: "é", count: 500) + ".tar")
        #expect(name.utf8.count <= 200 && name.hasSuffix("é.tar"))
        #expect(FileName.safe(String(repeating: "a", count: 300)).utf8.count == 200)
        #expect(Array(FileName.candidates("song.ogg").prefix(3)) == ["song.ogg", "song_1.ogg", "song_2.ogg"])
        #expect(FileName.candidates(".x")[1] == ".x_1")
    }
}
