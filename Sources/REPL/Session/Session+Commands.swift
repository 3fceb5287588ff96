import ByteCoding
import ChatCore
import Commands
import CryptoCore
import JSONCoding
import Navigation
import SystemIO
import TerminalKit

/// Commands of the tree, and questions.
extension Session {
    /// Commands that would take the terminal, or wait for ever.
    private static let refused: Set<String> = ["repl", "watch", "daemon", "rpc", "demo"]

    /// Runs a command of the tree on the open store, and prints what it writes.
    ///
    /// - Parameter isPart: Whether it draws a part of a screen: errors are left out then.
    @discardableResult
    func run(_ words: [String], isPart: Bool = false) async -> ExitCode {
        guard let first = words.first else { return .usage }
        guard !Session.refused.contains(first) else {
            say("'\(first)' works in the shell only", .error)
            return .usage
        }
        // Somebody else's text has been escaped where it was written; what comes here is made for this terminal.
        let traits = StreamTraits(
            isTerminal: false, width: area.width - 1, usesColor: editor?.canvas.usesColor ?? false)
        let number = nextCommand(), output = output(traits, of: number)
        let errors = isPart ? Output(collecting: traits) : output
        let code = await run(words, number, output, errors)
        if code == .ok, !isPart, lastPrinting != number, let words = EmptyList.sentence(for: words) {
            say(words, .muted)
        }
        if first == "passcode" { await reloadGate() }
        if first == "config" { reloadTerminalSettings() }
        if !isPart { await updatePrompt() }
        return code
    }

    /// Runs a command of the tree whose reports are for the session itself. What goes wrong is said.
    func collect(_ words: [String]) async -> (code: ExitCode, reports: [JSONObject]) {
        let output = Output(collecting: .pipe), errors = Output(collecting: .pipe)
        let code = await run(["--json"] + words, nextCommand(), output, errors)
        func objects(_ output: Output) -> [JSONObject] {
            output.collected.split(separator: UInt8(ascii: "\n")).compactMap {
                (try? JSONValue(decoding: Bytes($0)))?.object
            }
        }
        if code != .ok, let message = objects(errors).last?["message"]?.string { say(message, .error) }
        return (code, objects(output))
    }

    private func nextCommand() -> Int {
        commandCount += 1
        return commandCount
    }

    private func run(_ words: [String], _ number: Int, _ output: Output, _ errors: Output) async -> ExitCode {
        let profile = state.profile.map { ["--profile", "id:p\($0)"] } ?? []
        let store = store
        let task = Task(executorPreference: store.loop) {
            await store.run(
                profile + words, output: output, errors: errors,
                questions: .asked(by: { self.ask($0, for: number) }, forSecrets: { self.askSecret($0, for: number) }))
        }
        return await withCheckedContinuation { continuation in
            runningCommand = RunningCommand(number: number, task: task, end: continuation)
            Task(executorPreference: store.loop) { await self.end(number, await task.value) }
            store.loop.after(Session.patience) { [weak self] in self?.assumeIsolated { $0.sayRunning(number) } }
        }
    }

    /// Output that is printed above the prompt.
    private nonisolated func output(_ traits: StreamTraits, of number: Int) -> Output {
        let loop = store.loop
        return Output(traits: traits) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            loop.post { self.assumeIsolated { $0.print(fromCommand: text, number) } }
        }
    }

    private func print(fromCommand text: String, _ number: Int) {
        lastPrinting = number
        guard !isHidden, !isAbandoned(number) else { return }
        let rows = WrappedOutput.text(Session.forSession(text), width: area.width - 1)
        editor?.print(verbatim: rows.hasSuffix("\n") ? rows : rows + "\n")
    }

    private static let advice = "try: tacit "

    /// What commands advise, as it is typed here and on every screen: with a slash in place of the program's name.
    static func forSession(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // What stands before it is a margin, or chooses a colour.
            guard let start = line.indices.prefix(24).first(where: { line[$0...].hasPrefix(advice) }) else {
                return String(line)
            }
            return line[..<start] + "try: /" + line[start...].dropFirst(advice.count)
        }.joined(separator: "\n")
    }

    /// Asks for a command that runs on another thread.
    private nonisolated func ask(_ question: StyledText, for number: Int) -> Bool? {
        guard let handover = try? Handover<Bool?>() else { return nil }
        store.loop.post {
            self.assumeIsolated { session in
                guard let editor = session.editor, !session.isAbandoned(number) else { return handover.give(nil) }
                // What was typed before the question was seen is no answer, and an answer is no message.
                if session.typedLines.count > 1 { session.mayBeAnswer = true }
                editor.ask(session.fitting(question + " [y/N] ")) { answer in handover.give(answer.map(Session.means)) }
            }
        }
        return handover.take()
    }

    /// Asks for a secret for a command that runs on another thread.
    private nonisolated func askSecret(_ question: StyledText, for number: Int) -> Secret? {
        guard let handover = try? Handover<Secret?>() else { return nil }
        store.loop.post {
            self.assumeIsolated { session in
                guard let editor = session.editor, !session.isHidden, !session.isAbandoned(number) else {
                    return handover.give(nil)
                }
                editor.askSecret(session.fitting(question + ": "), isRefusable: true) { handover.give($0) }
            }
        }
        return handover.take()
    }

    /// Whether a person agrees.
    func confirm(_ question: StyledText) async -> Bool {
        await answer(to: question + " [y/N] ").map(Session.means) ?? false
    }

    /// What a person types as an answer; nil if nobody answers.
    func answer(to question: StyledText) async -> String? {
        guard let editor else { return nil }
        let prompt = fitting(question)
        return await withCheckedContinuation { continuation in
            editor.ask(prompt) { continuation.resume(returning: $0) }
        }
    }

    /// What to put before the answer: the question, unless it leaves no room on a narrow screen and is printed above.
    private func fitting(_ question: StyledText) -> StyledText {
        guard question.width + PromptLayout.leastRoom >= area.width else { return question }
        print(area.text(question.text.trimmed, .heading))
        return "> "
    }

    private static func means(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.trimmed.lowercased())
    }

    /// Says why something failed.
    func report(_ error: any Error) {
        // What was to be done was typed just now.
        let opening = OpenSession.opening
        let lines = store.failure(error).lines.map { line in
            line.text.hasPrefix(opening) ? StyledText(String(line.text.dropFirst(opening.count))) : line
        }
        print(
            lines.flatMap { Session.forSession($0.text).wrapped(toWidth: area.width - 1) }.map {
                StyledText($0, .error)
            })
    }

    // MARK: - An editor

    /// Has the person write in their own editor, and puts the text into the line.
    func writeInEditor() async {
        guard let editor else { return }
        let wish = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
        let text = editor.text
        editor.stop()
        isElsewhere = true
        let written = await ExternalEditor(command: wish, environment: environment).write(text, on: store.loop)
        isElsewhere = false
        if case .success(let text) = written { editor.replace(text) }
        do { try editor.start() } catch { return leave() }
        redrawPrompt()
        if case .failure = written {
            say("the editor '\(UntrustedText(wish).singleLine)' could not be used", .error)
        }
        if let postponedEnd { leave(postponedEnd) }
    }
}
