import AgentProtocol
import ChatCore
import Commands
import TerminalKit

/// Files of the conversation on the screen: sending, receiving, saving and showing them.
extension Composer {
    /// Sends a file with a caption.
    func attach(_ line: CommandWords, _ rest: String, typed: String) async {
        guard let conversation else { return }
        guard line.words.count > 1 else { return display.say("/attach PATH [CAPTION]", .error) }
        let path = PathCompletion.expanded(line.texts[1], home: controls.home)
        let caption = CommandWords.rest(of: rest, after: 1)
        let target = if case .notes = conversation { "notes" } else { "id:\(ObjectID.text(conversation))" }
        var words = ["send", target, "--attach", path, "--wait", "queued", "-q"]
        if !caption.isEmpty { words += ["--", caption] }
        guard await commands.run(words) == .ok else { return drafts.giveBack(typed) }
        if !router.isAtEnd { await router.showEnd() }
    }

    /// Carries out a command about the file of a message.
    func performOnFile(_ word: SessionWord, _ line: CommandWords) async {
        guard let conversation else { return }
        guard let number = line.messageNumber else { return display.say("/\(word.rawValue) \(word.arguments)", .error) }
        let path = line.texts.dropFirst(2).joined(separator: " ")
        do {
            let located = try await reader.item(number)
            guard located.item.chat == conversation else { throw ChatError.itemNotFound(ChatItemID(number)) }
            if word == .show { return await controls.showPicture(located) }
            guard let file = located.item.file else {
                return display.say("message \(number) has no file", .error)
            }
            let target = path.isEmpty ? nil : LocalPath.absolute(PathCompletion.expanded(path, home: controls.home))
            if word == .receive { return try await receive(file, to: target) }
            guard let target else { return display.say("/save NUMBER PATH", .error) }
            await commands.run(["file", "save", ObjectID.text(file.id), "--to", target])
        } catch {
            display.report(error)
        }
    }

    /// Accepts a file, and asks first if that tells unknown relays the address of this machine.
    private func receive(_ file: ChatFile, to path: String?) async throws {
        if file.state == .received {
            return display.say("the file is here already: \(file.summary)", .muted)
        }
        do {
            router.show(changed: try await core.execute(ReceiveFile(file.id, to: path)).item)
        } catch ChatError.file(.notApproved(_, let servers)) {
            for server in servers {
                display.say(
                    "\(UntrustedText(server).quoted) is not in your list and would learn your IP address", .warning)
            }
            guard await display.confirm("Receive the file all the same?") else {
                return display.say("nothing was received", .muted)
            }
            let accepted = try await core.execute(ReceiveFile(file.id, isApproved: true, to: path))
            router.show(changed: accepted.item)
        }
    }
}
