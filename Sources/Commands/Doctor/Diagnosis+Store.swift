import AgentProtocol
import ByteCoding
import ChatCore
import CommandKit
import SMPProtocol
import SystemIO
import TerminalKit

/// What is about the store.
extension Diagnosis {
    /// How much room there should be on the disk: a copy of a store must fit.
    private static let room = 64 << 20
    /// With less room commands that write to the store fail: the logs of both databases must fit.
    private static let leastRoom = 1 << 20

    static func store(_ invocation: Invocation) -> [Diagnosis] {
        let folder: StoreFolder
        do {
            folder = try invocation.storeFolder()
            if let migration = try MigrationFolder(of: folder).record(), migration.stage.refusal == .everything {
                throw Reason.unfinishedMigration(migration)
            }
            guard folder.exists || StoreReplacement.isPending(in: folder) else { throw Reason.noStore(folder) }
        } catch {
            return [Diagnosis("store", failed: error)]
        }
        let outside = [disk(folder), lock(folder)]
        do {
            let usesNetwork = invocation[DoctorCommand.online]
            return outside
                + (try StoreOpener(invocation, isWriting: false, usesNetwork: usesNetwork).run { session in
                    let summary = try await StatusCommand.summary(session)
                    return inside(summary) + (usesNetwork ? try await relays(session) : [])
                })
        } catch {
            return outside + [Diagnosis(isAboutKey(error) ? "key" : "store", failed: error)]
        }
    }

    private static func isAboutKey(_ error: any Error) -> Bool {
        switch Explained(error) {
        case .reason(let reason): reason.code.text.hasPrefix("key.")
        case .failure(let failure): failure.code.text.hasPrefix("key.")
        }
    }

    // MARK: - Around it

    private static func disk(_ folder: StoreFolder) -> Diagnosis {
        do throws(SystemError) {
            let isRemote = try FileSystem(of: try FileDescriptor(reading: folder.path)).isRemote
            guard !isRemote else {
                return Diagnosis(
                    "disk", .failure, "the store is on a network file system, where writing is unsafe",
                    tries: [.init("TACIT_DIR=/some/folder tacit ...", "use a folder on a local disk")])
            }
            let free = try Files.freeSpace(at: folder.path)
            guard free >= leastRoom, try Files.hasRoomForFiles(at: folder.path) else {
                let what = free >= leastRoom ? "no file can be created" : "\(ByteCount.text(free)) are free"
                return Diagnosis(
                    "disk", .failure, "the disk is full: \(what)",
                    tries: [.init(words: ["df", "-h", folder.path], "show disk usage")])
            }
            guard free >= room else {
                return Diagnosis(
                    "disk", .warning, "only \(ByteCount.text(free)) are free",
                    tries: [.init("df -h", "show disk usage")]
                )
            }
            return Diagnosis("disk", .ok, "\(ByteCount.text(free)) are free")
        } catch {
            return Diagnosis("disk", failed: error)
        }
    }

    private static func lock(_ folder: StoreFolder) -> Diagnosis {
        guard let holder = StoreLock.holder(of: folder) else { return Diagnosis("writer", .ok, "none") }
        let since = holder.since.flatMap { LocalTime.text(milliseconds: $0.milliseconds) }
        let facts =
            ["pid \(holder.pid.map { "\($0)" } ?? "unknown")"]
            + [holder.command.map { "tacit \($0)" }, since.map { "since \($0)" }].compactMap(\.self)
        return Diagnosis("writer", .ok, facts.joined(separator: ", "))
    }

    // MARK: - In it

    /// What `status --check` asks for, and whether the store is in clear.
    private static func inside(_ summary: StatusSummary) -> [Diagnosis] {
        let report = summary.report
        let key =
            summary.protection == nil
            ? Diagnosis(
                "key", .warning, "the store is not encrypted: anyone with access to the disk can read it",
                tries: [.init("tacit db encrypt", "encrypt the store")])
            : Diagnosis("key", .ok, "opens the store: \(StoreProtection.sentence(summary.protection).text)")
        let store =
            if let migration = summary.migration {
                Diagnosis(
                    "store", .failure, migration.stage.sentence,
                    tries: migration.stage.commands.map { Failure.Attempt($0.line, $0.note) })
            } else if let mark = report.freezingExport {
                mark.isBackup
                    ? Diagnosis(
                        "store", .failure, "the store is a read-only backup",
                        tries: [.init("tacit db thaw", "if the original is lost")])
                    : Diagnosis(
                        "store", .failure, "the store is frozen by an export",
                        tries: [.init("tacit db thaw", "if the archive is not in use")])
            } else if report.isCopy {
                Diagnosis(
                    "store", .failure,
                    "the store was copied from another machine: if both are used, conversations break",
                    tries: [.init("tacit db thaw", "if the other copy is not in use")])
            } else {
                Diagnosis("store", .ok, summary.folder.path)
            }
        guard let profile = report.profile else {
            let none = Diagnosis(
                "profile", .failure, "there is no profile",
                tries: [.init("tacit profile create NAME", "create a profile")])
            return [key, store, none]
        }
        let relays =
            report.servers.isEmpty
            ? Diagnosis(
                "relays", .failure, "the profile has no relays",
                tries: [
                    .init("tacit server add smp://FINGERPRINT@HOST", "a relay that you trust"),
                    .init("tacit init --accept-conditions", "the public relays"),
                ])
            : Diagnosis("relays", .ok, report.servers.map(\.place).joined(separator: ", "))
        let outbox =
            report.waiting > 0
            ? Diagnosis(
                "outbox", .failure, "\(report.waiting) queued messages",
                tries: [.init("tacit fetch", "send them"), .init("tacit outbox list", "show the reasons")])
            : Diagnosis("outbox", .ok, "empty")
        let unreachable = summary.unreachable.map { relay in
            Diagnosis(
                "relays", .failure, "\(relay.server.place): \(relay.problem.sentence)",
                tries: [.init("tacit doctor --online", "test the relays")])
        }
        let uploads =
            report.uploads > 0
            ? [
                Diagnosis(
                    "files", .failure, "\(report.uploads) files that file relays do not have yet",
                    tries: [.init("tacit fetch", "continue the uploads")])
            ] : []
        return [key, store, Diagnosis("profile", .ok, UntrustedText(profile.name).singleLine), relays] + unreachable
            + [outbox] + uploads + contacts(summary)
    }

    /// The contacts that somebody has to look after.
    private static func contacts(_ summary: StatusSummary) -> [Diagnosis] {
        let found = ContactProblem.allCases.flatMap { problem in
            summary.contacts(with: problem).map { located in
                let name = UntrustedText(located.contact.target).singleLine
                let message =
                    switch problem {
                    case .outOfStep:
                        "the ratchet with \(name) is out of sync: messages of the contact cannot be decrypted"
                    case .codeChanged: "the security code of \(name) changed after verification"
                    }
                return Diagnosis(
                    "contacts", .failure, message,
                    tries: [located.contact.advice(problem, in: located.profile).map { .init($0) }].compactMap(\.self))
            }
        }
        return found.isEmpty ? [Diagnosis("contacts", .ok, "\(summary.report.contactCount)")] : found
    }

    // MARK: - Far from it

    /// Each relay that is used, by a queue or a file that is created there and deleted.
    private static func relays(_ session: CommandSession) async throws -> [Diagnosis] {
        let profileID: ProfileID, servers: [ServerTestCommand.Tested]
        do {
            profileID = try await session.profile().id
            servers = try await ServerTestCommand.servers(nil, session)
        } catch ChatError.noActiveProfile, ChatError.conditionsNotAccepted, ChatError.noServer {
            // Said above: there is no relay to test.
            return []
        }
        var found: [Diagnosis] = []
        for (server, isForFiles) in servers {
            let place = isForFiles ? "\(server.address.place), for files," : server.address.place
            session.progress.start { "testing \(place)" }
            let failure = try await session.execute(TestServer(profileID, server, isForFiles: isForFiles)).failure
            session.progress.stop()
            guard let failure else {
                found.append(Diagnosis("relay", .ok, "\(place) can be used"))
                continue
            }
            let reason = Reason(failure)
            found.append(Diagnosis("relay", .failure, "\(place): \(reason.text)", tries: reason.tries))
        }
        return found + (try await forwarding(profileID, session))
    }

    /// The relays of the profile that do not forward to the private addresses where contacts have theirs.
    private static func forwarding(_ profile: ProfileID, _ session: CommandSession) async throws -> [Diagnosis] {
        session.progress.start { "asking whether relays forward to private addresses" }
        let result = try await session.execute(TestForwarding(profile))
        session.progress.stop()
        let reason = Reason(RelayProblem.forwarder(.hostExcluded))
        return result.refusing.map { relay in
            let fact = "\(relay.place): \(reason.text), where contacts have relays"
            return result.sendsDirectly
                ? Diagnosis("relay", .warning, "\(fact): messages to them go directly, which shows your address")
                : Diagnosis("relay", .failure, "\(fact)", tries: reason.tries)
        }
    }
}
