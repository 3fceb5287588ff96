import ChatCore
import CommandKit
import Navigation
import TerminalKit

/// `tacit passcode self-destruct`
enum PasscodeSelfDestructCommand {
    static let off = Option<Bool>(flag: "off", "Remove the self-destruct passcode")

    static let leaf: Leaf = .init(
        Command(
            "passcode self-destruct", "Set a second passcode that erases the store",
            promise: "the self-destruct passcode is on disk, or with --off removed", store: .writing,
            options: [off, PasscodeCommand.descriptor, PasscodeCommand.newDescriptor],
            examples: [
                Example("tacit passcode self-destruct", "Type the passcode, then the self-destruct passcode"),
                Example("tacit passcode self-destruct --off", "Remove the self-destruct passcode"),
            ],
            exits: [64, 66, 67, 75, 77], reports: GateReport.forms, topics: ["keys"],
            discussion: """
                Entered at a passcode prompt of a session, the self-destruct passcode overwrites and deletes the store. An \
                empty store with one profile and no contacts replaces it, and the session opens that store without a notice. \
                The self-destruct passcode then becomes the only passcode. Only an archive stored elsewhere can restore the \
                old store.

                Overwriting does not reach copies that a disk or file system makes internally; the store key protects those. \
                Contacts are not told. Other commands do not ask for a passcode and erase nothing.
                """),
        // SECURITY: whoever has the store open for others must not be asked for them, nor read descriptors of its own.
        isAlone: true, worksInSessions: true,
        purpose: { $0[off] ? "remove the self-destruct passcode" : "set the self-destruct passcode" },
        run: { invocation in
            guard !invocation[off] || invocation[PasscodeCommand.newDescriptor] == nil else {
                throw Failure.exclusive("'--off'", "'--new-passcode-fd'")
            }
            let passcode = try Passcode.read(
                "Passcode", descriptor: invocation[PasscodeCommand.descriptor], invocation)
            let second =
                try invocation[off]
                ? nil
                : Passcode.readNew(
                    "Self-destruct passcode", descriptor: invocation[PasscodeCommand.newDescriptor],
                    invocation)
            if let second, second.isEqual(to: passcode) { throw Reason.sameAsSelfDestruct }
            let hash = try second.map(PasscodeCommand.hash)
            return try StoreOpener(invocation, isWriting: true).run { try await set(hash, with: passcode, $0) }
        })

    private static func set(
        _ second: GateRecord.Hash?, with passcode: Passcode, _ session: CommandSession
    ) async throws -> ExitCode {
        var record = try await PasscodeCommand.opened(by: passcode, session)
        record.selfDestruct = second
        try await PasscodeCommand.store(record, session)
        try session.invocation.print(done: GateReport(record: record))
        return .ok
    }
}
