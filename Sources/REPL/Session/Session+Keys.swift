import Commands
import Navigation
import SystemIO
import TerminalKit

/// What keys and signals mean besides changes of the line.
extension Session {
    /// SIGINT (signal(7)).
    private static let interruption: Int32 = 2
    /// The time in which a second Ctrl-C ends the session.
    private static let interruptInterval = Duration.seconds(3)

    func take(_ event: LineEditor.Event) {
        switch event {
        case .line(let line):
            guard !isHidden else { return }
            lastInterrupt = nil
            typedLines.append(line)
            enqueue { session in
                session.beginLine()
                await session.take(line: line)
                session.lineIsDone()
                session.followOthers()
            }
        case .complete:
            // What is typed behind the tabulator comes first, and is not what was to be completed.
            guard let text = editor?.text, let cursor = editor?.cursor else { return }
            Task(executorPreference: store.loop) { await self.complete(text, cursor) }
        case .interrupt: interrupt()
        case .suspend: suspend()
        case .pageUp: enqueue { await $0.pageUp() }
        case .pageDown: enqueue { await $0.pageDown() }
        case .nextUnread:
            // What is typed behind the key is for the next chat.
            leftTexts.append(editor?.text ?? "")
            editor?.clear()
            enqueue { await $0.goToNextUnread(byKey: true) }
        case .edit: enqueue { if $0.conversation != nil { await $0.writeInEditor() } }
        case .end, .hangUp: leave()
        }
    }

    func take(signal number: Int32) {
        if number == Session.resized { return resize() }
        // What is typed for the user's editor is not for the session.
        guard !life.isElsewhere || number != Session.interruption else { return }
        life.signal = number
        leave(.left)
    }

    private func resize() {
        lineEditor?.resize()
        redrawPrompt()
    }

    private func interrupt() {
        if commands.isRunning {
            commands.cancel()
        } else if isGuiding {
            leave()
        } else if editor?.text.isEmpty == false {
            editor?.clear()
        } else if let lastInterrupt, ContinuousClock.now - lastInterrupt < Session.interruptInterval {
            leave()
        } else {
            lastInterrupt = .now
            say("Ctrl-C again, Ctrl-D or \(conversation == nil ? "" : "/")quit leaves", .muted)
        }
    }

    /// Stops the process as a shell expects it of Ctrl-Z, and goes on when it is continued.
    private func suspend() {
        if !gate.suspend(at: SystemClock.milliseconds()).isEmpty { isHidden = true }
        lineEditor?.stop(keepsSecret: true)
        ProcessEnding.suspend()
        display.pauses += 1
        if !gate.resume(at: SystemClock.milliseconds()).isEmpty { isHidden = true }
        do { try lineEditor?.start() } catch { return leave() }
        redrawPrompt()
        if isHidden { askPasscode() } else if !isGuiding { enqueue { await $0.showTop() } }
    }
}
