public import ChatCore
import CommandKit
import Host
import SystemIO
public import TerminalKit

/// The session of a person, which stands above the commands. It returns when it has ended.
public typealias SessionFace = @Sendable (SessionStart) throws -> ExitCode

/// The options of a session, before its store is open.
public struct SessionStart: Sendable {
    /// The path of the first screen; nil for that of the last session.
    public let place: String?
    /// True to begin at the chat list instead of the last screen.
    public let isFresh: Bool
    /// True to go on after a command of a pipe that fails.
    public let keepsGoing: Bool
    public let environment: [String: String]
    public let output: Output
    public let errors: Output
    /// The name of the profile to begin in; nil for the active one.
    public let profile: String?
    let invocation: Invocation
    /// The key of a store that was created just now.
    var freshKey: OpenedKey?

    init(_ invocation: Invocation) {
        place = invocation[ReplCommand.place]
        isFresh = invocation[ReplCommand.fresh]
        keepsGoing = invocation[ReplCommand.keepGoing]
        environment = invocation.environment
        profile = invocation[GlobalOptions.profile]
        output = invocation.output
        errors = invocation.errors
        self.invocation = invocation
    }

    /// Prints an error and returns its exit code.
    public func report(_ failure: Failure) -> ExitCode { errors.write(failure, asJSON: invocation.format == .json) }

    /// The options that each of its commands inherits.
    public var inheritedOptions: [String] {
        let form =
            switch invocation.format {
            case .text: [] as [String]
            case .plain: ["--plain"]
            case .json: ["--json"]
            }
        return form + (profile.map { ["--profile", $0] } ?? []) + (invocation.isQuiet ? ["--quiet"] : [])
    }

    /// Opens the store, with the key that is found or typed, and keeps the right to write and the sessions with the relays as
    /// long as `body` runs. Commands of other processes are carried out meanwhile. Signals are left to the session.
    ///
    /// If another process has the store open, such as a daemon, `body` runs beside it. When that process has ended, or an
    /// erasure has put an empty store in the place of this one, `body` is called again.
    public func open(_ body: @escaping @Sendable (SessionStore) async throws -> SessionOutcome) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: true, watchesSignals: false)
        var claim = try access.openOrAttach(with: freshKey), isKnown = false
        var deadline: ContinuousClock.Instant?
        while true {
            do {
                switch try run(body, access, claim) {
                case .ended(let code): return code
                case .reopening: break
                case .holderEnded:
                    deadline = nil
                    claim = try access.openOrAttach(with: claim.key)
                case .erasure(let values):
                    if claim.holder != nil { claim = try takeOver(access, claim) }
                    try access.replaceByEmpty(claim, values)
                }
                isKnown = true
            } catch let gone as HolderIsGone {
                // It has just ended, has just begun, or never answers.
                let waited = invocation[GlobalOptions.lockTimeout], end = deadline ?? .now + waited
                guard ContinuousClock.now < end else {
                    throw StoreInUse(gone.process, .isSilent, waited: waited, command: invocation.commandName)
                }
                deadline = end
                SystemClock.pause(StoreLock.pollingInterval)
                claim = try access.openOrAttach(with: claim.key)
            } catch ChatError.database(.wrongKey) where isKnown {
                // The key was changed while no process had the store open.
                claim = try access.openOrAttach()
                isKnown = false
            }
        }
    }

    /// The process that has the store open does not answer.
    private struct HolderIsGone: Error {
        let process: HoldingProcess
    }

    private func run(
        _ body: @escaping @Sendable (SessionStore) async throws -> SessionOutcome, _ access: StoreOpener,
        _ claim: StoreClaim
    ) throws -> SessionOutcome {
        if let process = claim.holder { return try attach(body, claim, process) }
        let environment = environment, password = try HiddenProfile.given(invocation)
        return try access.run(on: claim) { session in
            try await session.hosting { _ in
                let receiving = Task(executorPreference: session.host.loop) {
                    _ = try await session.execute(ReceiveMessages())
                }
                defer { receiving.cancel() }
                return try await body(
                    SessionStore(
                        host: session.host, environment: environment, profilePassword: password, receiving: receiving))
            }
        }
    }

    /// Runs `body` beside the process that has the store open.
    private func attach(
        _ body: @escaping @Sendable (SessionStore) async throws -> SessionOutcome, _ claim: StoreClaim,
        _ process: HoldingProcess
    ) throws -> SessionOutcome {
        let environment = environment, folder = claim.folder, password = try HiddenProfile.given(invocation)
        let invocation = invocation
        return try StoreOpener(invocation, isWriting: false).run(on: claim) { session in
            let loop = session.host.loop, remote: RemoteStore
            do throws(ChatError) {
                remote = try await process.connect(loop, within: invocation[GlobalOptions.lockTimeout])
                try await remote.takeVisits()
            } catch .holder(.ended) {
                throw HolderIsGone(process: process)
            } catch .holder(.silent) {
                throw process.silent(invocation)
            }
            let host = OpenStore(
                remote, reader: session.host.local, folder, loop, command: invocation.commandName, key: claim.key)
            do {
                let outcome = try await body(
                    SessionStore(host: host, environment: environment, profilePassword: password))
                await remote.core.close()
                return outcome
            } catch {
                let hasEnded = await remote.core.hasEnded
                await remote.core.close()
                if hasEnded, case ChatError.holder(.ended) = error { throw HolderIsGone(process: process) }
                throw error
            }
        }
    }

    /// Ends the process that has the store open, and opens the store in its place.
    private func takeOver(_ access: StoreOpener, _ claim: StoreClaim) throws -> StoreClaim {
        let deadline = ContinuousClock.now + SessionStart.stopTimeout
        var claim = claim
        while let process = claim.holder {
            guard ContinuousClock.now < deadline else {
                throw StoreInUse(process, .stays, waited: SessionStart.stopTimeout, command: invocation.commandName)
            }
            do { _ = try process.ask(.stop, within: SessionStart.stopTimeout) } catch ChatError.holder {
                // It may have ended by itself.
            }
            SystemClock.pause(StoreLock.pollingInterval)
            claim = try access.openOrAttach(with: claim.key)
        }
        return claim
    }

    /// The time for another process to end.
    private static let stopTimeout = Duration.seconds(20)
}

/// The result of a session.
public enum SessionOutcome: Sendable {
    case ended(ExitCode)
    /// The self-destruct passcode was typed. The values are for the empty store.
    case erasure([SessionKey: String])
    /// The process that had the store open has ended.
    case holderEnded
    /// The store could not be written for a while and must be opened again.
    case reopening
}
