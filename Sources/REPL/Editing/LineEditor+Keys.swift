import CryptoCore
import Glibc
import SystemIO

/// Keys of the line, other keys, and secrets.
extension LineEditor {
    /// The time for the rest of a mark. Terminals send it at once.
    private static let markTimeout = Duration.milliseconds(50)
    /// The longest pause in a paste.
    private static let pasteTimeout = Duration.seconds(2)

    /// The keys that would be signals if the terminal had its say.
    private static let signals: [UInt8: Event] = [3: .interrupt, 26: .suspend]

    func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count > 0 else {
            if count == 0 || errno != EINTR && errno != EAGAIN { onEvent(.hangUp) }
            return
        }
        lastKey = .now
        let (typed, showsPictures) = replies.read(Array(bytes.prefix(count)))
        if let showsPictures { replied(showsPictures) }
        take(input.read(typed))
        if isDrawingDue { flush() }
        releaseTimer?.cancel()
        guard input.isWaiting || replies.isWaiting else { return }
        let timeout = input.isPasting ? LineEditor.pasteTimeout : LineEditor.markTimeout
        releaseTimer = loop.after(timeout) { [weak self] in
            guard let self else { return }
            take(input.read(replies.release()))
            take(input.release())
        }
    }

    private func take(_ parts: [TypedInput.Part]) {
        for part in parts {
            switch part {
            case .paste(let bytes):
                if let secret { secret.append(bytes[...]) } else { insert(TypedInput.text(pasted: bytes)) }
            case .keys(let keys): press(keys[...])
            }
        }
        if Readline.takeChange() { redraw() }
    }

    private func press(_ keys: ArraySlice<UInt8>) {
        var keys = keys
        while !keys.isEmpty || Readline.isInMacro {
            // What is left of a macro comes before what is typed, but Ctrl-C ends it.
            if let key = keys.first, let event = LineEditor.signals[key] {
                keys.removeFirst()
                Readline.dropMacro()
                answer(nil)
                // A stop is no answer.
                if case .interrupt = event { refuseSecret() }
                onEvent(event)
                continue
            }
            if let secret {
                Readline.dropMacro()
                if let key = keys.popFirst() { take(secret.press(key), secret) }
                continue
            }
            let end = keys.firstIndex { LineEditor.signals[$0] != nil } ?? keys.endIndex
            let (taken, request) = Readline.press(keys[..<end])
            keys = keys.dropFirst(taken)
            switch request {
            case .accept: accept()
            case .complete: if question == nil { onEvent(.complete) }
            case .clearScreen: clearScreen()
            case .end: if question == nil { onEvent(.end) } else { answer(nil) }
            case .pageUp: if question == nil { onEvent(.pageUp) }
            case .pageDown: if question == nil { onEvent(.pageDown) }
            case .nextUnread: if question == nil { onEvent(.nextUnread) }
            case .edit: if question == nil { onEvent(.edit) }
            case nil: break
            }
        }
    }

    private func take(_ outcome: SecretLine.Outcome, _ line: SecretLine) {
        switch outcome {
        case .goesOn: break
        case .end where line.isRefusable: refuseSecret()
        case .end: onEvent(.end)
        case .complete(let typed):
            // SECURITY: until it is known what was typed, nothing else can be typed.
            if line.isRefusable { endSecret() }
            line.onAnswer(typed)
        }
    }

    private func accept() {
        let line = Readline.takeLine()
        if question != nil { return answer(line) }
        redraw()
        onEvent(.line(line))
    }
}
