import Commands
import SystemIO
import TerminalKit

/// The first step of all, which has no store yet: a welcome, and the choice of the key. At its end there is a store.
struct Welcome {
    private let start: SessionStart
    private let width: Int

    /// Asks the person at the terminal. Nil if they left: nothing was made.
    static func run(_ start: SessionStart) throws -> SessionStart? {
        let welcome = Welcome(start: start, width: Terminal(descriptor: 1).columns ?? 80)
        do {
            return try welcome.ask(try ControllingTerminal())
        } catch PromptError.ended, PromptError.interrupted, PromptError.timedOut {
            welcome.say(["nothing was created; the next start begins here"])
            return nil
        }
    }

    private func ask(_ terminal: borrowing ControllingTerminal) throws -> SessionStart {
        say([MessageLines.rule("welcome", width: width, .heading)])
        say(OnboardingPage.greeting.flatMap { $0.wrapped(toWidth: width - 1) }.map { StyledText($0) })
        if let place = try start.keyPlace {
            say("The key of the store is \(place).".wrapped(toWidth: width - 1).map { StyledText($0) })
            return try start.makingStore(.given)
        }
        let page = OnboardingPage.key(store: try start.storePath, keyFile: try start.keyFilePath)
        say([""] + page.lines(width: width))
        while true {
            let answer = try terminal.line(page.prompt)
            if SessionLink(answer) != nil {
                let words = "This is a link to a contact. Paste the link again after the setup."
                say(words.wrapped(toWidth: width - 1).map { StyledText($0, .warning) })
                continue
            }
            switch page.reply(to: answer) {
            case .option(1): return try makeWithPassphrase()
            case .option:
                let made = try start.makingStore(.newFile)
                say(
                    "Keep a copy of the key file. Without it the store cannot be read."
                        .wrapped(toWidth: width - 1).map { StyledText($0) })
                return made
            case .leave: throw PromptError.ended
            case .text, .unclear: say([StyledText(page.advice, .warning)])
            }
        }
    }

    /// Asks until it is typed twice in the same way: a passphrase must not become the answer to a question that is shown.
    private func makeWithPassphrase() throws -> SessionStart {
        while true {
            do {
                return try start.makingStore(.passphrase)
            } catch let mistake as MistypedKey {
                say([StyledText(mistake.text, .warning)])
            }
        }
    }

    /// What cannot be said there is lost: the question is what matters.
    private func say(_ lines: [StyledText]) {
        try? start.output.write(lines: lines)
        try? start.output.flush()
    }
}
