import ChatCore
import CommandKit
import Navigation
import TerminalKit

/// `tacit passcode self-destruct`
enum PasscodeSelfDestructCommand {
    static let off = Option<Bool>(flag: "off", "Forget the passcode that destroys everything")

    static let leaf: Leaf = .init(
        Command(
            "passcode self-destruct", "Set a second passcode that destroys everything",
            promise: "the second passcode is on disk, or is not there any more", store: .writing,
            options: [off, PasscodeCommand.descriptor, PasscodeCommand.newDescriptor],
            examples: [
                Example("tacit passcode self-destruct", "Type the passcode, and then the second one"),
                Example("tacit passcode self-destruct --off", "Only the first is left"),
            ],
            exits: [64, 66, 67, 75, 77], reports: GateReport.forms, topics: ["keys"],
            discussion: """
                Typed where a session asks for the passcode, the second one overwrites and removes the store and puts an empty \
                one with a profile without contacts in its place, and opens that as if it had always been there. The second \
                passcode is then the only one. Nothing can bring the store back except an archive that is kept elsewhere.

                Overwriting does not reach copies that a disk or a file system keeps by itself; those are as safe as the key of \
                the store is. Contacts are not told. Other commands do not ask for a passcode, and destroy nothing.
                """),
        // SECURITY: whoever has the store open for others must not be asked for them, nor read descriptors of its own.
        isAlone: true, worksInSessions: true,
        purpose: { $0[off] ? "forget the second passcode" : "set the second passcode" },
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
                    "Passcode that destroys everything", descriptor: invocation[PasscodeCommand.newDescriptor],
                    invocation)
            if let second, second.isEqual(to: passcode) { throw Reason.sameAsSelfDestruct }
            let hash = try second.map(PasscodeCommand.hash)
            return try StoreAccess(invocation, isWriting: true).run { try await set(hash, with: passcode, $0) }
        })

    private static func set(
        _ second: GateRecord.Hash?, with passcode: Passcode, _ session: StoreSession
    ) async throws -> ExitCode {
        var record = try await PasscodeCommand.opened(by: passcode, session)
        record.selfDestruct = second
        try await PasscodeCommand.store(record, session)
        try session.invocation.print(done: GateReport(record: record))
        return .ok
    }
}
