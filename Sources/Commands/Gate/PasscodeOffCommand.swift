import ChatCore
import CommandKit
import Navigation
import TerminalKit

/// `tacit passcode off`
enum PasscodeOffCommand {
    static let leaf: Leaf = .init(
        Command(
            "passcode off", "Remove the passcode", promise: "no passcode is on disk",
            store: .writing, options: [PasscodeCommand.descriptor],
            examples: [Example("tacit passcode off", "Remove the passcode after typing it once more")],
            exits: [66, 67, 75, 77],
            reports: GateReport.forms, topics: ["keys"],
            discussion: "Also removes the self-destruct passcode."),
        // SECURITY: whoever has the store open for others must not be asked for them, nor read descriptors of its own.
        isAlone: true, worksInSessions: true, purpose: { _ in "remove the passcode" },
        run: { invocation in
            let passcode = try Passcode.read(
                "Passcode", descriptor: invocation[PasscodeCommand.descriptor], invocation)
            return try StoreOpener(invocation, isWriting: true).run { session in
                _ = try await PasscodeCommand.opened(by: passcode, session)
                try await session.change([SetSessionValue(.gate, nil)])
                try session.invocation.print(done: GateReport(record: GateRecord()))
                return .ok
            }
        })
}
