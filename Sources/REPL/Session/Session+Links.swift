import ByteCoding
import Commands
import SystemIO
import TerminalKit

/// Links of messages, which other programs open.
extension Session {
    /// Opens a link with the program of `session.browser`; without one, has the terminal copy the link.
    ///
    /// SECURITY: the link is one argument of the program and never a part of a shell line. It begins with its scheme, so that it
    /// is no option.
    func browse(_ link: String) async {
        guard let editor else { return }
        guard let program = reader.terminalSettings().browser else {
            // xterm, OSC 52: the characters of base64 end no sequence.
            editor.print(verbatim: "\u{1b}]52;c;\(Base64.encode(Bytes(link.utf8)))\u{1b}\\")
            let words = "copied, if the terminal allows it; session.browser names a program to open links"
            return display.say(words, .muted)
        }
        let environment = environment.filter { $0.key != "TACIT_KEY" }
        let isOpened = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            store.loop.offload(
                {
                    let words = ["sh", "-c", "exec \(program) \"$1\"", "sh", link]
                    let ended = try? Subprocess("/bin/sh", words, environment: environment, leadsGroup: true).finish(
                        within: .seconds(20))
                    return ended?.ending == .exited(0)
                }, then: { continuation.resume(returning: $0) })
        }
        guard isOpened else { return display.say("the program of session.browser failed", .error) }
        display.say("opened", .success)
    }
}
