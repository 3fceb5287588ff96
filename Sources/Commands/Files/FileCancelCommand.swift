import ChatCore
import CommandKit
import TerminalKit

/// `tacit file cancel`
enum FileCancelCommand {
    static let leaf: Leaf = .init(
        Command(
            "file cancel", "Cancel files", promise: "the files are no longer transferred", store: .writing,
            positionals: [FileNoun.files],
            examples: [Example("tacit file cancel f7", "Stop a transfer, decline an offer, or withdraw a sent file")],
            exits: [64, 67, 69, 80], reports: FileReport.forms,
            discussion: """
                A sent file is deleted at its relays, and its recipients are told. Copies that they have received stay.

                A received file of a chat gets the state aborted. The sender is not told, and 'tacit file receive' can \
                still receive it. Other files get the state cancelled.
                """),
        purpose: { _ in "cancel the files" },
        body: { session in
            var codes: [ExitCode] = []
            for id in session.invocation[FileNoun.files] {
                do {
                    _ = try await session.execute(CancelFile(id, declines: true))
                    try session.invocation.print(done: FileReport(try await session.execute(ShowFile(id)).file))
                    codes.append(.ok)
                } catch {
                    codes.append(
                        session.invocation.report(Explained(error).failure(during: "cancel \(ObjectID.text(id))")))
                }
            }
            return .together(codes)
        })
}
