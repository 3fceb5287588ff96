import ChatCore
import CommandKit
import Navigation
import TerminalKit

/// `tacit passcode set`
enum PasscodeSetCommand {
    static let leaf: Leaf = .init(
        Command(
            "passcode set", "Ask for a passcode before the session shows anything", promise: "the passcode is on disk",
            store: .writing, options: [PasscodeCommand.descriptor, PasscodeCommand.grace, PasscodeCommand.idle],
            examples: [
                Example("tacit passcode set", "Type it twice"),
                Example("tacit passcode set --grace 30s --idle 5m", "And say when it is asked for"),
            ],
            exits: [66, 73, 75, 77], reports: GateReport.forms, topics: ["keys"],
            discussion: """
                A session asks for it when it starts, when it goes on after a stop (Ctrl-Z) longer than the grace, and when no \
                key was pressed for longer than the idle time. After three wrong ones it takes a second before the next is \
                tried, then two, and so on up to five minutes; starting anew does not help.

                The passcode hides the session from who passes by. It does not encrypt anything: that does the key of the \
                store, with which all other commands work without a passcode. While a session has the store it is set and \
                changed there, with /passcode; while a daemon has it, in a session beside the daemon.
                """),
        // SECURITY: whoever has the store open for others must not be asked for them, nor read descriptors of its own.
        isAlone: true, worksInSessions: true, purpose: { _ in "set a passcode" },
        run: { invocation in
            let passcode = try Passcode.readNew(
                "New passcode", descriptor: invocation[PasscodeCommand.descriptor], invocation)
            let hash = try PasscodeCommand.hash(passcode)
            return try StoreAccess(invocation, isWriting: true).run { try await set(hash, $0) }
        })

    private static func set(_ hash: GateRecord.Hash, _ session: StoreSession) async throws -> ExitCode {
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
