import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import Host
import JSONCoding
import Relay
import SMPProtocol
import SystemIO
import TerminalKit

/// `tacit channel-relay init`
enum ChannelRelayInitCommand {
    static let name = Option<String>(
        "name", "Name of the chat relay, which owners and subscribers see", .text("NAME"), default: "relay",
        isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "channel-relay init", "Create a chat relay",
            promise: "the store and the settings of the chat relay are on disk, and a relay has its address",
            store: .none, positionals: [ChannelRelayCommand.folder],
            options: [name, InitCommand.server, InitCommand.acceptConditions, InitCommand.noEncryption],
            examples: [
                Example(
                    "tacit channel-relay init /srv/relay --name example",
                    "Create a chat relay in the folder of a message relay, which it uses"),
                Example(
                    "tacit channel-relay init /srv/channels --accept-conditions",
                    "Create a chat relay that uses the public relays"),
            ],
            exits: [64, 65, 66, 67, 68, 69, 71, 73, 75, 76, 77, 78, 79], reports: ChatRelayReport.forms,
            discussion: """
                Prints the address of the chat relay. Anyone with the address can ask the chat relay to serve a channel. \
                new_channels in tacit-channel-relay(8) limits that.

                The queues of the chat relay are on the message relays of --server, on the message relay in the same folder, or \
                on the public relays if --accept-conditions accepts their conditions.

                The store is encrypted with the key that tacit help keys describes, or with a new random key in the file \
                'key' of the folder. If the address cannot be made, 'tacit channel-relay start' makes it.
                """),
        isAlone: true,
        purpose: { "create a chat relay in \(UntrustedText($0[ChannelRelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = invocation[ChannelRelayCommand.folder], moved = invocation.moved(to: folder)
        let settings = "\(folder)/\(ChannelRelaySettings.fileName)", store = try moved.storeFolder()
        guard !Files.exists(settings), !store.exists else { throw Reason.channelRelayExists(folder) }
        var contents = InitCommand.Contents(
            profile: try InitCommand.newProfile(invocation[name], fullName: nil), isChatRelay: true)
        contents.servers = InitCommand.servers(.smp, invocation)
        contents.fileServers = InitCommand.servers(.xftp, invocation)
        contents.acceptsConditions = invocation[InitCommand.acceptConditions]
        if contents.servers.isEmpty, !contents.acceptsConditions {
            guard let server = try MessageRelay.server(in: folder) else { throw Reason.channelRelayNeedsServer(folder) }
            contents.servers = [server]
        }
        let plan = invocation[InitCommand.noEncryption] ? nil : try NewKey(unattended: moved)
        guard try InitCommand.make(store, plan, contents, moved) != nil else {
            throw Reason.channelRelayExists(folder)
        }
        // The settings come last: a folder with settings is complete.
        do throws(SystemError) {
            try Files.create(settings, Array(ChannelRelaySettings().text.utf8))
            try Files.synchronizeFolder(of: settings)
        } catch {
            throw Reason(error)
        }
        if let path = plan?.path {
            invocation.note(StyledText("the key is in \(path); without it the store cannot be read"))
        }
        let log = ServiceLog(invocation, atLeast: .warning)
        let address = try StoreOpener(moved, isWriting: true).run { session in
            let relay = try await MessageRelay.start(in: folder, log, metrics: nil)
            let address: Result<String, any Error>
            do { address = .success(try await session.chatRelayAddress()) } catch { address = .failure(error) }
            await relay?.stop()
            return try address.get()
        }
        try invocation.print(ChatRelayReport(address: address, state: "made"))
        return .ok
    }
}

/// The message relay in the folder of a chat relay.
enum MessageRelay {
    /// Its address with the password; nil if the folder has none.
    static func server(in folder: String) throws -> ConfiguredServer? {
        guard RelayFolder.exists(at: folder) else { return nil }
        let addresses = try RelayState(of: folder).address
        return ConfiguredServer(address: addresses.address, password: addresses.password)
    }

    /// Starts it. Nil if the folder has none, or if another process serves it.
    static func start(
        in folder: String, _ log: ServiceLog, metrics: String?,
        whenFailed: @escaping @Sendable (RelayError) -> Void = { _ in }
    ) async throws -> RelayThread? {
        guard RelayFolder.exists(at: folder) else { return nil }
        do {
            return try await RelayThread.start(folder, log, metrics: metrics, whenFailed: whenFailed)
        } catch RelayError.running(_) {
            log.write(.info, "another process serves the message relay in the folder")
            return nil
        }
    }
}

extension CommandSession {
    /// The address of the chat relay of the store, which is made if there is none yet.
    func chatRelayAddress() async throws -> String {
        guard let core = host.local else { throw Reason.noChannelRelayProfile }
        let state = try await core.chatRelayState()
        guard let profile = state.profile else { throw Reason.noChannelRelayProfile }
        if let address = state.address { return address }
        guard let made = try await execute(CreateAddress(profile.id)).address.link.short else {
            throw Reason.noChannelRelayProfile
        }
        return made
    }
}

/// A chat relay and its address, which is the only text of it.
struct ChatRelayReport: Report {
    let address: String
    let state: String

    static let forms = [
        ReportForm(
            "chat-relay", "A chat relay and its address", plain: ["address"],
            [
                .always("state", .word(["made", "serving"]), "State of the chat relay"),
                .always("address", .text, "Address for owners of channels"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "chat-relay")
        json.set("state", state)
        json.set("address", address)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] { [StyledText(address)] }
}
