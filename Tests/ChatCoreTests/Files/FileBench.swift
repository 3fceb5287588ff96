import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol
import SystemIO
import TestSupport
import Testing
import XFTPClient
import XFTPProtocol

@testable import ChatCore

/// A contact, and files on the disk that are sent to it and received from it, with transfers that are not real.
final class FileBench {
    let bench: Workbench
    let inbox: Inbox
    let files: ChatFiles
    let bob: Contact
    private(set) var transfers = FakeTransfers()

    init() throws {
        bench = try Workbench()
        inbox = bench.inbox()
        files = bench.files()
        bob = try bench.contact()
        files.ownFolder = bench.folder.path + "/files"
        try Files.createFolder(files.ownFolder)
        try bench.store.transaction {
            try bench.store.setFileServers(
                [ConfiguredServer(address: FileBench.description.servers[0])], of: ProfileID(1))
        }
        files.makeTransfers = { [unowned self] in transfers }
        try files.run()
    }

    /// A process that ends and begins again.
    func restart() throws {
        files.pause()
        transfers = FakeTransfers()
        try files.run()
    }

    /// A file in the folder for files.
    func make(_ name: String, _ size: Int = 100) throws {
        try Files.create(files.ownFolder + "/\(name)", Bytes(repeating: 7, count: size))
    }

    /// Sends a file that was made.
    @discardableResult
    func send(_ name: String, _ text: String = "") throws -> ChatItem {
        let message = ComposedMessage(MessageContent(text, kind: .file), file: CryptoFile(path: name))
        let sent = try inbox.conversations.send(SendMessages(.reference(.direct(bob.id)), [message]))
        bench.environment.pass(.zero)
        return try #require(sent.items.first?.item)
    }

    /// Receives the offer of a file.
    @discardableResult
    func offer(
        _ name: String, _ number: UInt8 = 1, size: Int64 = 70000, fields: JSONObject? = nil,
        kind: MessageContent.Kind = .file
    ) throws -> ChatFile {
        var container = MessageContainer(MessageContent("", kind: kind))
        if let fields {
            let file = (["fileName": .string(name), "fileSize": .integer(size)] as JSONObject).merging(fields)
            container = MessageContainer(container.content, otherFields: ["file": .object(file)])
        } else {
            container = container.with(FileInvitation(name: name, size: size))
        }
        inbox.handle(bench.message(.message(container), number, from: bob))
        return try #require(try item(number).file)
    }

    /// Receives a part of the description of an offer.
    func describe(_ text: String, part: Int64 = 1, isComplete: Bool = true, of number: UInt8 = 1) {
        let part = DescriptionPart(text, part: part, isComplete: isComplete)
        inbox.handle(
            bench.message(.fileDescription(FileDescriptionPart(Workbench.sharedID(number), part)), from: bob))
        bench.environment.pass(.zero)
    }

    /// Receives a piece of a file of an old version.
    func piece(_ piece: Int, _ bytes: Bytes, of number: UInt8 = 1) {
        let chunk: FileChunk.Content = piece == 0 ? .cancelled : .data(number: UInt8(piece), bytes)
        let message = ReceivedMessage(
            number: 1, hash: [], relayTime: bench.now, integrity: .ok, isPostQuantum: false,
            body: FileChunk(messageID: Workbench.sharedID(number), chunk).encoded)
        inbox.handle(bench.event(bob.connection?.id ?? ConnectionID(0), .connection(.msg(message))))
        bench.environment.pass(.zero)
    }

    func item(_ number: UInt8) throws -> ChatItem {
        try #require(try bench.store.item(Workbench.sharedID(number), .received, in: .direct(bob.id)))
    }

    func state(_ id: ChatFileID) throws -> FileState { try #require(try bench.store.file(id)).file.state }

    static let description: FileDescription = {
        guard let description = try? FileDescription(text: text) else { preconditionFailure("a description") }
        return description
    }()

    /// The relay of the description at another place.
    static func server(_ location: String) throws -> ServerAddress {
        let fingerprint = Base64URL.encode(description.servers[0].fingerprint)
        return try ServerAddress(text: "xftp://\(fingerprint)@\(location)", scheme: .xftp)
    }

    static let text = """
        chunkSize: 64kb
        digest: jh-62WmLh3AlCGk4d351Y_ci8UjHXLuk_u3SDou2POVzg0L_7LQOTHN19drRM_feGju8s71OE6I1EAJlh9CEPg==
        key: nSqyJnDzD5IppFkE913lS4aNo5OlCBt1qyuonB1YRK0=
        nonce: CZGRdSiR6-QrdRwkucSA6L3Pg0nY8DgJ
        party: recipient
        replicas:
        - chunks:
          - 1:OIvhVAnNYMOUs-hBfesvLw==:MC4CAQAwBQYDK2VwBCIEILPmJVOd3mbA8nakfz6pPZIj9FGfFwyN_i1QNPCdUGg9:9Mf3mSiHsqP0tfcZm4TQjq2f9PUI4-SfEe7TnjQbWak=
          - 2:_RQSHpVZfyHX4DwlNgN16w==:MC4CAQAwBQYDK2VwBCIEIAC-QAegasuehWBqbrhhVHnD3qREtmzcJ7PIbojylv27:rOIGUuTM0iQEFv7-C8cBrNx2U6OfQvzitRRN7-SbV4s=
          server: xftp://gt7swAf7yITwnlnu-F6FF6IkCQmW7QxL5u_54FaCq4U=@127.0.0.1:25443
        size: 128kb

        """
}
