public import ChatCore
import CommandKit
import RemoteCore
import SystemIO
public import TerminalKit

/// The session for people, which stands above the commands: it gets what it needs to begin, and returns when it has ended.
public typealias SessionFace = @Sendable (SessionStart) throws -> ExitCode

/// What a session begins with: what was asked for, and no store yet.
public struct SessionStart: Sendable {
    /// Where to begin, if the user said so: the text of a path.
    public let place: String?
    /// Whether to begin at the top, whatever the last session left.
    public let isFresh: Bool
    /// Whether lines that fail are no reason to stop, where lines come from a pipe.
    public let keepsGoing: Bool
    public let environment: [String: String]
    public let output: Output
    public let errors: Output
    /// The profile to act as, if the user named one.
    public let profile: String?
    let invocation: Invocation
    /// What opens a store that was made just now.
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

    /// Prints an error, and returns the exit code that it means.
    public func report(_ failure: Failure) -> ExitCode { errors.write(failure, asJSON: invocation.format == .json) }

    /// The options of the whole that are meant for each of its commands.
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
    public func open(_ body: @escaping @Sendable (OpenSession) async throws -> SessionOutcome) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: true, watchesSignals: false)
        var (opening, holding) = try access.openOrAttach(with: freshKey), isKnown = false
        var deadline: ContinuousClock.Instant?
        while true {
            do {
                switch try run(body, access, opening, holding) {
                case .ended(let code): return code
                case .reopening: break
                case .holderEnded:
                    deadline = nil
                    (opening, holding) = try access.openOrAttach(with: opening.key)
                case .erasure(let values):
                    if let process = holding { opening = try takeOver(from: process, access, opening) }
                    holding = nil
                    try access.replaceByEmpty(opening, values)
                }
                isKnown = true
            } catch let gone as HolderIsGone {
                // It has just ended, or just begun; or nobody ever reaches it.
                let waited = invocation[GlobalOptions.lockTimeout], end = deadline ?? .now + waited
                guard ContinuousClock.now < end else {
                    throw StoreInUse(gone.process, .isSilent, waited: waited, command: invocation.commandName)
                }
                deadline = end
                SystemClock.pause(StoreAccess.pollingInterval)
                (opening, holding) = try access.openOrAttach(with: opening.key)
            } catch ChatError.database(.wrongKey) where isKnown {
                // It was changed while nobody had the store open.
                (opening, holding) = try access.openOrAttach()
                isKnown = false
            }
        }
    }

    /// Nobody answers where the process should that has the store open.
    private struct HolderIsGone: Error {
        let process: HoldingProcess
    }

    private func run(
        _ body: @escaping @Sendable (OpenSession) async throws -> SessionOutcome, _ access: StoreAccess,
        _ opening: StoreAccess.Opening, _ holding: HoldingProcess?
    ) throws -> SessionOutcome {
        if let holding { return try attach(body, opening, holding) }
        let environment = environment, password = try HiddenProfile.given(invocation)
        return try access.run(on: opening) { session in
            try await session.hosting { _ in
                let receiving = Task(executorPreference: session.host.loop) {
                    _ = try await session.execute(ReceiveMessages())
                }
                defer { receiving.cancel() }
                return try await body(
                    OpenSession(
                        host: session.host, environment: environment, profilePassword: password, receiving: receiving))
            }
        }
    }

    /// Runs `body` beside the process that has the store open.
    private func attach(
        _ body: @escaping @Sendable (OpenSession) async throws -> SessionOutcome, _ opening: StoreAccess.Opening,
        _ process: HoldingProcess
    ) throws -> SessionOutcome {
        let environment = environment, folder = opening.folder, password = try HiddenProfile.given(invocation)
        let invocation = invocation
        return try StoreAccess(invocation, isWriting: false).run(on: opening) { session in
            let loop = session.host.loop, remote: RemoteHost
            do throws(ChatError) {
                remote = try await process.connect(loop, within: invocation[GlobalOptions.lockTimeout])
                try await remote.takeVisits()
            } catch .holder(.ended) {
                throw HolderIsGone(process: process)
            } catch .holder(.silent) {
                throw process.silent(invocation)
            }
            let host = StoreHost(
                remote, reader: session.host.local, folder, loop, command: invocation.commandName, key: opening.key)
            do {
                let outcome = try await body(
                    OpenSession(host: host, environment: environment, profilePassword: password))
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

    /// Has the process end that has the store open, and takes its place.
    private func takeOver(
        from process: HoldingProcess, _ access: StoreAccess, _ opening: StoreAccess.Opening
    ) throws -> StoreAccess.Opening {
        let deadline = ContinuousClock.now + SessionStart.patience
        var holding: HoldingProcess? = process, opening = opening
        while let process = holding {
            guard ContinuousClock.now < deadline else {
                throw StoreInUse(process, .stays, waited: SessionStart.patience, command: invocation.commandName)
            }
            do { _ = try process.ask(.stop, within: SessionStart.patience) } catch ChatError.holder {
                // One that has ended by itself is as good.
            }
            SystemClock.pause(StoreAccess.pollingInterval)
            (opening, holding) = try access.openOrAttach(with: opening.key)
        }
        return opening
    }

    /// How long another process may take to end.
    private static let patience = Duration.seconds(20)
}

/// What a session leaves behind.
public enum SessionOutcome: Sendable {
    case ended(ExitCode)
    /// The passcode was typed that destroys everything. The values are for the empty store.
    case erasure([SessionKey: String])
    /// The process has ended that had the store open.
    case holderEnded
    /// The store could not be written for a while, and is to be opened anew.
    case reopening
}
