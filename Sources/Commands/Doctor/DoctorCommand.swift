import CommandKit
import TerminalKit

/// `tacit doctor`
enum DoctorCommand {
    static let online = Option<Bool>(
        flag: "online", "Connect to the relays as well, by the way that is set", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "doctor", "Find out what is not as it should be, and what helps",
            promise: "nothing has failed; there may be warnings", store: .none, options: [online],
            examples: [
                Example("tacit doctor", "Without any connection"),
                Example("tacit doctor --json | jq -r 'select(.state != \"ok\").check'", "What needs somebody"),
            ],
            exits: [1], reports: Diagnosis.forms, topics: ["keys", "tor"],
            discussion: """
                Looks at the configuration, the permissions of folders, the hooks, the clock, the proxy, the terminal, the \
                completion of the shell, the disk, and the store: its key, who writes to it, the profile, its relays and the \
                outbox. What status --check \
                finds is a failure here, too. Each check is a line, with something to paste where something helps. If one has \
                failed, the exit code is 1; a warning is a piece of advice.

                Nothing is connected to, unless there is --online: then each relay is tested as by tacit net test.
                """),
        purpose: { _ in "examine" },
        run: { invocation in
            let diagnoses =
                [Diagnosis.configuration(invocation)] + Diagnosis.folders(invocation) + Diagnosis.hooks(invocation)
                + [Diagnosis.clock(), Diagnosis.memory(), Diagnosis.proxy(invocation), Diagnosis.terminal(invocation)]
                + [Diagnosis.completion(invocation)].compactMap(\.self) + Diagnosis.store(invocation)
            try invocation.print(list: diagnoses)
            return diagnoses.contains { $0.state == .failure } ? .no : .ok
        })
}
