import ChatCore
import CommandKit
import Navigation
import TerminalKit

/// `tacit passcode change`
enum PasscodeChangeCommand {
    static let leaf: Leaf = .init(
        Command(
            "passcode change", "Change the passcode or its timing",
            promise: "the change is on disk", store: .writing,
            options: [
                PasscodeCommand.descriptor, PasscodeCommand.newDescriptor, PasscodeCommand.grace, PasscodeCommand.idle,
            ],
            examples: [
                Example("tacit passcode change", "Type the old passcode, then the new one"),
                Example("tacit passcode change --idle 10m", "Keep the passcode; ask after ten idle minutes"),
            ],
            exits: [66, 67, 75, 77], reports: GateReport.forms, topics: ["keys"],
            discussion: """
                With --grace or --idle the passcode stays, unless --new-passcode-fd gives a new one.
                """),
        // SECURITY: whoever has the store open for others must not be asked for them, nor read descriptors of its own.
        isAlone: true, worksInSessions: true, purpose: { _ in "change the passcode" },
        run: { invocation in
            let old = try Passcode.read(
                "Passcode", descriptor: invocation[PasscodeCommand.descriptor], invocation)
            let hasSettings = invocation[PasscodeCommand.grace] != nil || invocation[PasscodeCommand.idle] != nil
            let isKept = hasSettings && invocation[PasscodeCommand.newDescriptor] == nil
            let new =
                try isKept
                ? nil
                : Passcode.readNew(
                    "New passcode", descriptor: invocation[PasscodeCommand.newDescriptor], invocation)
            let hash = try new.map(PasscodeCommand.hash)
            return try StoreOpener(invocation, isWriting: true).run { try await change(old, new, hash, $0) }
        })

    private static func change(
        _ old: Passcode, _ new: Passcode?, _ hash: GateRecord.Hash?, _ session: CommandSession
    ) async throws -> ExitCode {
        var record = try await PasscodeCommand.opened(by: old, session)
        if let new, let hash {
            guard await !PasscodeCommand.matches(new, record.selfDestruct, session) else {
                throw Reason.sameAsSelfDestruct
            }
            record.passcode = hash
        }
        PasscodeCommand.applySettings(session.invocation, to: &record)
        try await PasscodeCommand.store(record, session)
        try session.invocation.print(done: GateReport(record: record))
        return .ok
    }
}
