import ChatCore
import CommandKit
import Navigation
import TerminalKit

/// `tacit passcode set`
enum PasscodeSetCommand {
    static let leaf: Leaf = .init(
        Command(
            "passcode set", "Protect sessions with a passcode", promise: "the passcode is on disk",
            store: .writing, options: [PasscodeCommand.descriptor, PasscodeCommand.grace, PasscodeCommand.idle],
            examples: [
                Example("tacit passcode set", "Set a passcode; type it twice"),
                Example(
                    "tacit passcode set --grace 30s --idle 5m", "Set a passcode with a grace time and an idle time"),
            ],
            exits: [66, 73, 75, 77], reports: GateReport.forms, topics: ["keys"],
            discussion: """
                A session asks for the passcode at the start, after a stop (Ctrl-Z) longer than the grace time, and after the \
                idle time without input. After three wrong attempts, each attempt is delayed: by 1 s at first, and by up to 5 \
                minutes later. A restart does not reset the delay.

                The passcode hides sessions from passers-by. It encrypts nothing: the store key does that, and other commands \
                work without the passcode. While a session has the store open, set and change the passcode in the session with \
                /passcode; while a daemon runs, in a session beside it.
                """),
        // SECURITY: whoever has the store open for others must not be asked for them, nor read descriptors of its own.
        isAlone: true, worksInSessions: true, purpose: { _ in "set a passcode" },
        run: { invocation in
            let passcode = try Passcode.readNew(
                "New passcode", descriptor: invocation[PasscodeCommand.descriptor], invocation)
            let hash = try PasscodeCommand.hash(passcode)
            return try StoreOpener(invocation, isWriting: true).run { try await set(hash, $0) }
        })

    private static func set(_ hash: GateRecord.Hash, _ session: CommandSession) async throws -> ExitCode {
        var record = try await PasscodeCommand.record(session)
        guard record.passcode == nil else {
            throw Reason.passcodeExists
        }
        record = GateRecord()
        record.passcode = hash
        PasscodeCommand.applySettings(session.invocation, to: &record)
        try await PasscodeCommand.store(record, session)
        try session.invocation.print(done: GateReport(record: record))
        return .ok
    }
}
