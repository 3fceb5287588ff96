import CommandKit
import TerminalKit

/// `tacit doctor`
enum DoctorCommand {
    static let online = Option<Bool>(
        flag: "online", "Test the relays too, with the network settings", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "doctor", "Diagnose common problems and suggest fixes",
            promise: "no check failed; there may be warnings", store: .none, options: [online],
            examples: [
                Example("tacit doctor", "Run all checks that need no network"),
                Example(
                    "tacit doctor --json | jq -r 'select(.state != \"ok\").check'",
                    "Print the names of checks with problems"),
            ],
            exits: [1], reports: Diagnosis.forms, topics: ["keys", "tor"],
            discussion: """
                Checks the configuration, folder permissions, hooks, clock, proxy, terminal, shell completion, disk and store: \
                its key, the process that writes to it, profile, relays and outbox. Problems of status --check are failures \
                here too. Each check prints one line, with a command to run if there is a fix. If a check failed, the exit \
                code is 1; warnings do not change it.

                Without --online, doctor makes no connections. With --online, each relay is tested like with tacit net test. \
                A relay of yours that does not forward to private addresses is named if contacts have relays there.
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
