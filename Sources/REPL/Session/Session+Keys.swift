import Commands
import Navigation
import SystemIO
import TerminalKit

/// Keys that do not change the line, and signals.
extension Session {
    /// SIGINT (signal(7)).
    private static let interruption: Int32 = 2
    /// The time in which a second Ctrl-C ends the session.
    private static let interruptInterval = Duration.seconds(3)

    func take(_ event: LineEditor.Event) {
        switch event {
        case .line(let line):
            guard !display.isHidden else { return }
            lastInterrupt = nil
            composer.enqueue(line) { [router] in router.followOthers() }
        case .complete:
            // Keys behind the tabulator come first, and change the line that is completed.
            guard let text = editor?.text, let cursor = editor?.cursor else { return }
            queue.start { [composer] in await composer.complete(text, cursor) }
        case .interrupt: interrupt()
        case .suspend: suspend()
        case .pageUp: queue.enqueue { [router] in await router.pageUp() }
        case .pageDown: queue.enqueue { [router] in await router.pageDown() }
        case .nextUnread:
            // Text behind the key is for the next chat.
            drafts.leaveText()
            queue.enqueue { [router] in await router.goToNextUnread(byKey: true) }
        case .edit:
            queue.enqueue { [weak self, router] in if router.conversation != nil { await self?.writeInEditor() } }
        case .end, .hangUp: life.leave()
        }
    }

    func take(signal number: Int32) {
        if number == Session.resized { return resize() }
        // Ctrl-C is for the editor of the user while that has the terminal.
        guard !life.isElsewhere || number != Session.interruption else { return }
        life.signal = number
        life.leave(.left)
    }

    private func resize() {
        editor?.resize()
        prompt.draw()
    }

    private func interrupt() {
        if commands.isRunning {
            commands.cancel()
        } else if firstSteps.isGuiding {
            life.leave()
        } else if editor?.text.isEmpty == false {
            editor?.clear()
        } else if let lastInterrupt, ContinuousClock.now - lastInterrupt < Session.interruptInterval {
            life.leave()
        } else {
            lastInterrupt = .now
            display.say("Ctrl-C again, Ctrl-D or \(router.conversation == nil ? "" : "/")quit leaves", .muted)
        }
    }

    /// Stops the process, as a shell expects it of Ctrl-Z, until it is continued.
    private func suspend() {
        gate.suspend()
        editor?.stop(keepsSecret: true)
        ProcessEnding.suspend()
        display.pauses += 1
        gate.resume()
        do { try editor?.start() } catch { return life.leave() }
        prompt.draw()
        if display.isHidden {
            gate.ask()
        } else if !firstSteps.isGuiding {
            queue.enqueue { [router] in await router.showTop() }
        }
    }
}
