import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import SMPProtocol
import SystemIO
import TerminalKit

/// `tacit init`
enum InitCommand {
    static let ifMissing = Option<Bool>(
        flag: "if-missing", "Do nothing if there is a store already", isCommon: true)
    static let name = Option<String?>(
        "name", "Make a first profile of this name", .text("NAME"), defaultText: "no profile", isCommon: true)
    static let fullName = Option<String?>("full-name", "The full name in the profile", .text("NAME"))
    static let server = Option<[ConfiguredServer]>(
        repeated: "server", "A relay for new queues", .server(), isCommon: true)
    static let acceptConditions = Option<Bool>(
        flag: "accept-conditions", "Accept the conditions of the public relays, and use these", isCommon: true)
    static let newKeyFile = Option<String?>(
        "new-key-file", "Where to write the new random key of the store", .path(),
        defaultText: "the file key in the folder of the configuration", isCommon: true)
    static let noEncryption = Option<Bool>(flag: "no-encryption", "Make a store without a key")

    static let leaf: Leaf = .init(
        Command(
            "init", "Make a store", promise: "the store is on disk", store: .none,
            options: [ifMissing, name, fullName, server, acceptConditions, newKeyFile, noEncryption],
            examples: [
                Example(
                    "tacit init --name alice --server smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example",
                    "A store with a profile"),
                Example("tacit init --name alice --accept-conditions", "With the relays of the public network"),
                Example(
                    "tacit init --if-missing --name ops --new-key-file ~/.config/tacit/key", "In a container"
                ),
            ],
            exits: [64, 71, 73, 74, 77, 78], reports: InitReport.forms,
            discussion: """
                The store is in TACIT_DIR, or in the data folder of the user (XDG_DATA_HOME). Its key is in a file that only its \
                owner can read. This version does not encrypt the pages of the store yet.

                Conversations need relays: those given with --server, or the public ones of SimpleX Chat and Flux. Who uses these \
                must accept the conditions of their operators, which are at

                  \(UsageConditions.current.url)

                With --accept-conditions you do; the store keeps when, and which version. 'tacit server' changes the choice later. \
                With --if-missing, conditions are accepted for a store that is there already.
                """),
        purpose: { _ in "make a store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = try invocation.storeFolder()
        guard !folder.exists else { return try present(folder, invocation) }
        let profile = try invocation[name].map { try newProfile($0, fullName: invocation[fullName]) }
        let key = try key(invocation)
        do throws(SystemError) {
            try folder.create()
        } catch {
            throw Reason(error, "its folder cannot be made", at: folder.path, "store.folder", .noOutput)
        }
        guard try make(folder, profile, key, invocation) else { return try present(folder, invocation) }
        try invocation.print(done: InitReport(folder: folder, profile: profile?.displayName, keyFile: key?.path))
        if let key {
            invocation.warn("this version does not encrypt the store yet; keep its key for later: \(key.path)")
        }
        if profile == nil { invocation.note("next: tacit profile create NAME") }
        if profile != nil, invocation[server].isEmpty, !invocation[acceptConditions] {
            invocation.note(
                "next: tacit server add ADDRESS, or tacit init --if-missing --accept-conditions")
        }
        return .ok
    }

    /// Makes everything, unless somebody else has done so meanwhile.
    private static func make(
        _ folder: StoreFolder, _ profile: Profile?, _ key: (path: String, isNew: Bool)?, _ invocation: Invocation
    ) throws -> Bool {
        let lock = try StoreAccess(invocation, isWriting: true).lock(folder)
        defer { withExtendedLifetime(lock) {} }
        guard !folder.exists else { return false }
        if let key, key.isNew { try createKey(at: key.path) }
        let loop = try EventLoop(), servers = invocation[server], accepts = invocation[acceptConditions]
        try loop.run {
            let core = try await ChatCore(folder, .creating, loop: loop)
            if !servers.isEmpty { _ = try await core.execute(.setServers(nil, servers)) }
            if accepts { _ = try await core.execute(.acceptConditions(ServerOperator.Tag.allCases)) }
            if let profile { _ = try await core.execute(.createProfile(profile)) }
            try await core.close()
        }
        try Files.synchronizeFolder(of: folder.lock)
        return true
    }

    /// There is a store already.
    private static func present(_ folder: StoreFolder, _ invocation: Invocation) throws -> ExitCode {
        guard invocation[ifMissing] else {
            throw Reason(
                "store.exists", .noOutput, "there is one already", why: ["it is in \(folder.path)"],
                tries: [.init("tacit status", "what is in it"), .init("tacit init --if-missing")])
        }
        return try StoreAccess(invocation, isWriting: true).run(complete)
    }

    /// Makes the first profile in a store that is there already, if it has none: an earlier start may have been cut off.
    @Sendable private static func complete(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        if invocation[acceptConditions] {
            _ = try await session.execute(.acceptConditions(ServerOperator.Tag.allCases))
        }
        guard let name = invocation[name], try await session.profiles().isEmpty else {
            invocation.note(
                invocation[acceptConditions]
                    ? "the conditions are accepted; the public relays are on the list: tacit server list"
                    : "there is a store already")
            return .ok
        }
        let profile = try newProfile(name, fullName: invocation[fullName])
        if !invocation[server].isEmpty { _ = try await session.execute(.setServers(nil, invocation[server])) }
        _ = try await session.execute(.createProfile(profile))
        let folder = try invocation.storeFolder()
        try invocation.print(done: InitReport(folder: folder, profile: name, keyFile: nil))
        return .ok
    }

    /// A profile whose name was checked before anything is made.
    private static func newProfile(_ name: String, fullName: String?) throws(ChatError) -> Profile {
        do throws(ProfileError) {
            _ = try Profile.DisplayName(name)
        } catch {
            throw .invalidName(name, suggestion: Profile.DisplayName.suggestion(for: name)?.text)
        }
        return Profile(displayName: name, fullName: fullName ?? "")
    }

    /// Where the key is to be, checked before anything is made. A key in the usual place that is left from another store
    /// is used again.
    private static func key(_ invocation: Invocation) throws -> (path: String, isNew: Bool)? {
        let wish = invocation[newKeyFile]
        if invocation[noEncryption] {
            guard wish == nil else {
                throw Failure("usage.conflict", .usage, "'--new-key-file' and '--no-encryption' exclude each other")
            }
            return nil
        }
        if let wish {
            guard !Files.exists(wish) else { throw KeyFile.exists(wish) }
            return (wish, isNew: true)
        }
        let path = "\(try invocation.directories().config)/key"
        guard let status = try? Files.status(path) else { return (path, isNew: true) }
        guard !status.isOpenToOthers else { throw KeyFile.openToOthers(path) }
        return (path, isNew: false)
    }

    private static func createKey(at path: String) throws {
        do throws(SystemError) {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            if !folder.isEmpty { try Files.createFolder(folder) }
            try StoreKey.create(at: path)
        } catch {
            guard error.condition != .exists else { throw KeyFile.exists(path) }
            throw Reason(error, "its key cannot be written", at: path, "key.file", .noOutput)
        }
    }
}

/// What can be wrong with a key file.
enum KeyFile {
    static func exists(_ path: String) -> Reason {
        Reason("key.exists", .noOutput, "the key file exists already", why: ["it is \(path)"])
    }

    static func openToOthers(_ path: String) -> Reason {
        Reason(
            "key.open", .denied, "others can read the key file", why: ["it is \(path)"],
            tries: [.init(words: ["chmod", "600", path])])
    }
}

/// A store that was made.
private struct InitReport: Report {
    let folder: StoreFolder
    let profile: String?
    let keyFile: String?

    static let forms = [
        ReportForm(
            "init", "A store that was made",
            [
                .always("store", .text, "Its folder"), .sometimes("profile", .text, "The name of the first profile"),
                .sometimes("key_file", .text, "Where its key is"),
                .always("encrypted", .flag, "Whether its pages are encrypted"),
            ])
    ]
    static let fields = ["store", "profile", "key_file"]

    var json: JSONObject {
        var json = JSONObject(type: "init")
        json.set("store", folder.path)
        json.set("profile", profile)
        json.set("key_file", keyFile)
        json.set("encrypted", false)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var line = StyledText("made a store in \(folder.path)")
        if let profile { line += StyledText(" with the profile ") + StyledText(profile, .name) }
        return [line]
    }
}
