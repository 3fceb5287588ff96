import ByteCoding
import ChatCore
import CommandKit
import CryptoCore
import Host
import Synchronization
import SystemIO
import TerminalKit

/// `tacit api --websocket`: a process that serves clients until somebody ends it.
///
/// It has the store open itself, as a daemon does, or is beside the process that has it open. When that one ends it opens the
/// store, and clients connect again.
struct APIServing {
    private let invocation: Invocation
    private let address: ListenAddress
    private let admission: APIServer.Admission
    /// True if the token is made by this process, and written for clients.
    private let isNewToken: Bool
    /// The files to receive without asking; nil for the setting.
    private let files: FileAcceptance?
    /// Called with the open store before clients can connect.
    private let prepare: @Sendable (CommandSession, APIFilePaths) async throws -> Void

    /// The shortest token.
    private static let tokenSize = 16

    /// The time before the store is opened after another process.
    private static let pause = Duration.milliseconds(100)

    /// Why the server ended.
    private enum Ending: Sendable {
        case stopped
        case reloading
        /// The process that has the store open ended.
        case alone
    }

    init(
        _ invocation: Invocation, _ address: ListenAddress, files: FileAcceptance? = nil,
        prepare: @escaping @Sendable (CommandSession, APIFilePaths) async throws -> Void = { _, _ in }
    ) throws {
        guard invocation.host == nil else { throw Reason.sharedStore }
        self.invocation = invocation
        self.address = address
        self.files = files
        self.prepare = prepare
        let isRemote = invocation[APICommand.allowsRemote], file = invocation[APICommand.tokenFile]
        guard address.isLoopback || isRemote else { throw Failure.apiRemote }
        isNewToken = invocation[APICommand.newToken]
        guard !isNewToken || file == nil else { throw Failure.exclusive("'--new-token'", "'--token-file'") }
        guard !isRemote || file != nil || isNewToken else { throw Failure.apiRemoteWithoutToken }
        admission = APIServer.Admission(
            token: try isNewToken ? Bytes(Hex.encode(SystemRandom().bytes(32)).utf8) : file.map(APIServing.token),
            origins: invocation[APICommand.origins])
    }

    /// The first line of a file.
    private static func token(_ path: String) throws -> Bytes {
        let bytes: Bytes
        do throws(SystemError) {
            bytes = try Files.read(path, limit: 4096)
        } catch {
            throw Reason.apiTokenFile(error, at: path)
        }
        let token = Bytes(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard token.count >= tokenSize, token.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw Reason.apiToken }
        return token
    }

    func run() throws -> ExitCode {
        // A signal that comes before the server is ready waits for it.
        SignalWatch.hold([OtherSignal.reload, OtherSignal.count])
        let log = ServiceLog(invocation)
        var invocation = invocation
        while true {
            let access = StoreOpener(invocation, isWriting: true, isService: true)
            switch try access.run({ [invocation] in try await serve($0, invocation) }) {
            case .stopped: return .ok
            case .alone:
                invocation.note("the process that had the store open has ended")
                // It may still be about to end.
                SystemClock.pause(APIServing.pause)
            case .reloading:
                log.reopen()
                if let mistake = ConfigurationCheck(invocation).harmful.first {
                    log.writeUnchanged("\(mistake.place): \(mistake.sentence)")
                } else {
                    invocation.settings = Configuration(invocation.environment).settings
                }
            }
        }
    }

    private func serve(_ session: CommandSession, _ invocation: Invocation) async throws -> Ending {
        let paths = APIFilePaths(session.host.folder)
        try await prepare(session, paths)
        let server: APIServer
        do throws(ListenFailure) {
            server = try APIServer(session.host, at: address, admission, paths)
        } catch {
            throw Reason.apiListener(error, at: address)
        }
        let tokenFile = try isNewToken ? writeToken(for: server, try invocation.directories()) : nil
        defer { tokenFile.map { try? Files.remove($0) } }
        func ready() {
            let place = (server.address ?? address).description
            let scheme = address.isPort ? "ws://" : ""
            invocation.note(StyledText("accepting clients at ", .muted) + StyledText("\(scheme)\(place)"))
            if let tokenFile { invocation.note(StyledText("token in ", .muted) + StyledText(tokenFile)) }
            ServiceState.tell(.ready, invocation)
        }
        if session.host.remote == nil {
            try await session.receive(files: files, takesSignals: true) { _ in ready() }
            ServiceState.tell(session.host.process.request == .reload ? .reloading : .stopping, invocation)
            await server.close()
            return session.host.process.request == .reload ? .reloading : .stopped
        }
        return try await serveBeside(session, server, ready)
    }

    /// Writes the token into a file that only this user can read, and returns its path.
    private func writeToken(for server: APIServer, _ directories: Directories) throws -> String {
        let folder = directories.runtime ?? directories.state + "/run"
        let name =
            switch server.address ?? address {
            case .port(_, let port): "api-\(port).token"
            case .socket: "api.token"
            }
        let path = "\(folder)/\(name)"
        do throws(SystemError) {
            try Files.createFolder(folder)
            try Files.replace(path, (admission.token ?? []) + [UInt8(ascii: "\n")], durably: false)
        } catch {
            throw Reason.apiNewToken(error, at: path)
        }
        return path
    }

    /// Has the other process receive, until it ends or a signal comes.
    private func serveBeside(
        _ session: CommandSession, _ server: APIServer, _ ready: () -> Void
    ) async throws -> Ending {
        let task = Task(executorPreference: session.host.loop) { try await session.execute(ReceiveMessages()) }
        let ending = Mutex(Ending.alone)
        let signals = Held(
            try SignalWatch(EndingSignal.heeded, on: session.host.loop) { number in
                ending.withLock { $0 = number == EndingSignal.hangUp.number ? .reloading : .stopped }
                task.cancel()
            })
        defer { withExtendedLifetime(signals) {} }
        ready()
        do {
            _ = try await task.value
        } catch ChatError.holder(.ended) {
            // Another one may open the store first, or this one.
        }
        await server.close()
        return ending.withLock { $0 }
    }
}
