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
        flag: "if-missing", "Only add missing parts to an existing store", isCommon: true)
    static let name = Option<String?>(
        "name", "Create a first profile with this name", .text("NAME"), defaultText: "no profile", isCommon: true)
    static let fullName = Option<String?>("full-name", "Full name in the profile", .text("NAME"))
    static let server = Option<[[AnyRelay]]>(
        repeated: "server", "Relay for messages, or for files (xftp://)", .relays(), isCommon: true)
    static let acceptConditions = Option<Bool>(
        flag: "accept-conditions", "Accept the conditions of the public relays, and use them", isCommon: true)
    static let newKeyFile = Option<String?>(
        "new-key-file", "Write a new random key to this file", .path(),
        defaultText: "the key of 'tacit help keys', or a prompt", isCommon: true)
    static let noEncryption = Option<Bool>(flag: "no-encryption", "Create an unencrypted store")

    static let leaf: Leaf = .init(
        Command(
            "init", "Create a store and a first profile", promise: "the store is on disk", store: .none,
            options: [ifMissing, name, fullName, server, acceptConditions, newKeyFile, noEncryption],
            examples: [
                Example("tacit init --name alice --accept-conditions", "Create a store that uses the public relays"),
                Example(
                    "tacit init --if-missing --name ops --new-key-file ~/.config/tacit/key",
                    "Create a store in a container, or keep an existing one"
                ),
                Example(
                    "tacit init --name alice --server smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@smp.example",
                    "Create a store that uses your own relay"),
            ],
            exits: [64, 71, 73, 74, 77, 78], reports: InitReport.forms,
            discussion: """
                The store is in TACIT_DIR, or else in the data folder of the user (XDG_DATA_HOME). It is encrypted with the \
                first key of this list:

                  1  a new random key, written to the file of --new-key-file
                  2  a key given as described in tacit help keys
                  3  a passphrase, if there is a terminal to prompt for it
                  4  a new random key, written to the file key in the configuration folder,
                     where tacit finds it without an option

                Only the owner can read a key file. Without the key, the store cannot be read.

                Conversations need relays: those given with --server, one or several separated by spaces, or the public relays of SimpleX Chat and Flux. To use \
                the public relays you must accept their operators' conditions:

                  \(UsageConditions.current.url)

                --accept-conditions accepts them and records the time and the version. 'tacit server' changes the relays \
                later.

                With --if-missing, an existing store gets its missing parts: a profile if it has none, relays if it uses none, \
                and accepted conditions. If its profiles, relays or encryption differ from the options, the exit code is 78, \
                the error names the difference, and nothing changes.
                """),
        isAlone: true, purpose: { _ in "create a store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = try invocation.storeFolder()
        try StoreOpener(invocation, isWriting: true).checkMigration(of: folder)
        guard !folder.exists else { return try present(folder, invocation) }
        let profile = try invocation[name].map { try newProfile($0, fullName: invocation[fullName]) }
        let plan = try NewKey(invocation)
        let contents = Contents(
            profile: profile, servers: servers(.smp, invocation), fileServers: servers(.xftp, invocation),
            acceptsConditions: invocation[acceptConditions])
        guard try make(folder, plan, contents, invocation) != nil else { return try present(folder, invocation) }
        try invocation.print(
            done: InitReport(
                folder: folder, profile: profile?.displayName, keyFile: plan?.path, isEncrypted: plan != nil))
        if let path = plan?.path {
            invocation.note(StyledText("the key is in \(path); without it the store cannot be read"))
        }
        if profile == nil { invocation.note("next: tacit profile create NAME") }
        if profile != nil, servers(.smp, invocation).isEmpty, !invocation[acceptConditions] {
            invocation.note(
                "next: tacit server add ADDRESS, or tacit init --if-missing --accept-conditions")
        }
        return .ok
    }

    /// A store that was made, with what opens it; nil where nothing is needed for that.
    struct Made {
        let key: OpenedKey?
    }

    /// What a new store has.
    struct Contents: Sendable {
        var profile: Profile?
        var isChatRelay = false
        var servers: [ConfiguredServer] = []
        var fileServers: [ConfiguredServer] = []
        var acceptsConditions = false
        /// Nobody is led through steps that a command line has answered; how messages arrive can be said any time.
        var stage = OnboardingStage.complete
    }

    /// The relays of `--server` of one kind.
    static func servers(_ scheme: ServerScheme, _ invocation: Invocation) -> [ConfiguredServer] {
        invocation[server].joined().filter { $0.scheme == scheme }.map(\.server)
    }

    /// Makes everything, unless somebody else has done so meanwhile: then it is nil.
    static func make(
        _ folder: StoreFolder, _ plan: NewKey?, _ contents: Contents, _ invocation: Invocation
    ) throws -> Made? {
        do throws(SystemError) {
            try folder.create()
        } catch {
            throw Reason.storeFolder(error, at: folder.path)
        }
        let lock = try StoreOpener(invocation, isWriting: true).lock(folder)
        defer { withExtendedLifetime(lock) {} }
        guard !folder.exists else { return nil }
        let key = try plan.map { try OpenedKey.make(for: try $0.given(invocation)) }
        let loop = try EventLoop()
        try loop.run {
            let core = try await LocalCore(folder, .creating, key: key, loop: loop, machine: invocation.machine)
            if !contents.servers.isEmpty { _ = try await core.execute(SetServers(nil, contents.servers)) }
            if !contents.fileServers.isEmpty { _ = try await core.execute(SetFileServers(contents.fileServers)) }
            if contents.acceptsConditions {
                _ = try await core.execute(AcceptConditions(ServerOperator.Tag.allCases))
            }
            if let profile = contents.profile {
                _ = try await core.execute(CreateProfile(profile, isChatRelay: contents.isChatRelay))
            }
            _ = try await core.execute(AdvanceOnboarding(to: contents.stage))
            try await core.close()
        }
        try Files.synchronizeFolder(of: folder.lock)
        return Made(key: key)
    }

    /// There is a store already.
    private static func present(_ folder: StoreFolder, _ invocation: Invocation) throws -> ExitCode {
        try folder.checkOwn()
        if invocation[ifMissing] { try checkKey(folder, invocation) }
        guard invocation[ifMissing] else {
            throw Reason.storeExists(in: folder)
        }
        return try StoreOpener(invocation, isWriting: true).run(complete)
    }

    /// Makes the first profile in a store that is there already, if it has none: an earlier start may have been cut off.
    @Sendable private static func complete(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let isNew = try await session.profiles().isEmpty
        let missing = isNew ? [] : try await missingServers(session)
        if !isNew { try await checkName(session) }
        if invocation[acceptConditions] {
            _ = try await session.execute(AcceptConditions(ServerOperator.Tag.allCases))
        }
        if !missing.isEmpty { try await session.change(missing.map { .server(ProfileServer($0)) }, "added") }
        let relays = servers(.smp, invocation), fileRelays = servers(.xftp, invocation)
        if isNew, !relays.isEmpty { _ = try await session.execute(SetServers(nil, relays)) }
        if !fileRelays.isEmpty {
            let known = isNew ? [] : try await session.execute(ListFileServers()).own
            let added = fileRelays.filter { relay in !known.contains { $0.address == relay.address } }
            _ = try await session.execute(SetFileServers(known + added))
        }
        guard let name = invocation[name], isNew else {
            invocation.note(
                invocation[acceptConditions]
                    ? "conditions accepted; the public relays are in the list: tacit server list"
                    : "the store exists already")
            return .ok
        }
        let profile = try newProfile(name, fullName: invocation[fullName])
        _ = try await session.execute(CreateProfile(profile))
        _ = try await session.execute(AdvanceOnboarding(to: .complete))
        let folder = try invocation.storeFolder()
        let isEncrypted = try StoreProtection(of: folder) != nil
        try invocation.print(
            done: InitReport(folder: folder, profile: name, keyFile: nil, isEncrypted: isEncrypted))
        return .ok
    }

    /// Throws if the store is not protected as the options say.
    private static func checkKey(_ folder: StoreFolder, _ invocation: Invocation) throws {
        if invocation[noEncryption], try StoreProtection(of: folder) != nil {
            throw Reason.storeDiffers(
                "it is encrypted", .init("tacit db decrypt", "remove the encryption"))
        }
        if let path = invocation[newKeyFile], !Files.exists(path) {
            throw Reason.storeDiffers(
                "the key file \(UntrustedText(path).quoted) does not exist",
                .init("tacit db rekey --new-key-file FILE", "set a new key"))
        }
    }

    /// Throws if `--name` is given and the store has no profile of that name.
    private static func checkName(_ session: CommandSession) async throws {
        guard let name = session.invocation[name] else { return }
        let profiles = try await session.profiles()
        guard !profiles.contains(where: { $0.name == name }) else { return }
        throw Reason.storeDiffers(
            "it has the profile \(profiles.map { UntrustedText($0.name).quoted }.joined(separator: ", ")), "
                + "not \(UntrustedText(name).quoted)", .init("tacit profile create NAME", "create another profile"))
    }

    /// The relays of `--server` that the store does not have.
    ///
    /// - Throws: A ``Reason`` with 78 if the store uses other relays.
    private static func missingServers(_ session: CommandSession) async throws -> [ConfiguredServer] {
        let wanted = servers(.smp, session.invocation)
        guard !wanted.isEmpty else { return [] }
        let groups = try await session.servers()
        let known = groups.flatMap(\.servers).map(\.server)
        let missing = wanted.filter { server in !known.contains { $0.description == server.description } }
        let used = groups.flatMap { group in group.servers.filter(group.uses) }.map(\.server)
        let off = wanted.first { server in
            !missing.contains { $0.description == server.description }
                && !used.contains { $0.description == server.description }
        }
        if let off {
            let place = off.address.place
            throw Reason.storeDiffers(
                "\(place) is switched off", .init("tacit server enable \(place)", "enable the relay"))
        }
        guard !missing.isEmpty, !used.isEmpty else { return missing }
        throw Reason.storeDiffers(
            "it uses \(used.map { $0.address.place }.joined(separator: ", ")), "
                + "not \(missing.map { $0.address.place }.joined(separator: ", "))",
            .init("tacit server add ADDRESS", "add another relay"))
    }

    /// A profile whose name was checked before anything is made.
    static func newProfile(_ name: String, fullName: String?) throws(ChatError) -> Profile {
        do throws(ProfileError) {
            _ = try Profile.DisplayName(name)
        } catch {
            throw .invalidName(name, suggestion: Profile.DisplayName.suggestion(for: name)?.text)
        }
        return Profile(displayName: name, fullName: fullName ?? "")
    }
}

/// A store that was made.
private struct InitReport: Report {
    let folder: StoreFolder
    let profile: String?
    let keyFile: String?
    let isEncrypted: Bool

    static let forms = [
        ReportForm(
            "init", "A new store", plain: ["store", "profile", "key_file"],
            [
                .always("store", .text, "Folder of the store"),
                .sometimes("profile", .text, "Name of the first profile"),
                .sometimes("key_file", .text, "Path of the key file"),
                .always("encrypted", .flag, "True if the store is encrypted"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "init")
        json.set("store", folder.path)
        json.set("profile", profile)
        json.set("key_file", keyFile)
        json.set("encrypted", isEncrypted)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var line = StyledText("created a store in \(folder.path)")
        if let profile { line += StyledText(" with the profile ") + StyledText(profile, .name) }
        return [line]
    }
}
