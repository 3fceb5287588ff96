import CommandKit
import SystemIO
import TerminalKit

/// The configuration file of the user, about to be changed.
struct ConfigurationFile {
    let path: String
    /// What stands in it; nothing if it is not there.
    let text: SettingsText
    /// Where it is really: the file may be a link into a folder that is kept elsewhere.
    private let target: String

    init(_ invocation: Invocation) throws {
        path = try ConfigCommand.userFile(invocation)
        text = try Configuration.text(of: path) ?? SettingsText([])
        target = (try? Files.resolved(path)) ?? path
    }

    /// Makes the folder of the file, for this user only.
    func createFolder() throws(Reason) {
        guard let slash = target.lastIndex(of: "/"), slash != target.startIndex else { return }
        do throws(SystemError) {
            try Files.createFolder(String(target[..<slash]))
        } catch {
            throw Reason(error, "its folder cannot be made", at: target, "config.write", .noOutput)
        }
    }

    /// Replaces the file in one step by one that only its owner can read.
    func replace(with text: SettingsText) throws(Reason) {
        try createFolder()
        do throws(SystemError) {
            let draft = try DraftFile(for: target)
            try draft.write(text.bytes)
            try draft.publish(replaces: true)
        } catch {
            throw Reason(error, "the file cannot be written", at: target, "config.write", .noOutput)
        }
    }
}
