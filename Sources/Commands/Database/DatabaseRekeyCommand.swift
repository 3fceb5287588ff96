import ChatCore
import CommandKit
import Host
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit db rekey`
enum DatabaseRekeyCommand {
    static let leaf: Leaf = .init(
        Command(
            "db rekey", "Change the key of the store", promise: "only the new key opens the store",
            store: .none, options: NextKey.options,
            examples: [
                Example("tacit db rekey", "Set a new passphrase"),
                Example("tacit db rekey --new-key-file ~/.config/tacit/key", "Change from a passphrase to a key file"),
                Example(
                    "tacit db rekey --key-file old.key --new-passphrase-file words.txt",
                    "Change the key without a terminal"),
            ],
            exits: [65, 66, 71, 73, 77], reports: KeyReport.forms(of: .rekey), topics: ["keys"],
            discussion: """
                Changes only the wrapping of the page key, so it takes a moment even for a large store. An attacker with the \
                old key and an old copy of the files can therefore also read later files of this store. To change the page key \
                too, run 'tacit db decrypt', then 'tacit db encrypt'.

                Later commands read the key where they found the old one: in the file of TACIT_KEY_FILE or key.file, or in the \
                configuration folder. If --new-key-file is another file, rekey offers to put the key there, and keeps the old \
                key as FILE.old.

                The change survives interruption: one of the two keys opens the store, for an instant both, and the next \
                command that writes completes the change.
                """),
        isAlone: true, purpose: { _ in "change the key" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: true), folder = try access.ownFolder()
        guard try StoreProtection(of: folder) != nil else { throw Reason.notEncrypted }
        let next = try NextKey(invocation)
        // A key that was only kept does not say what it replaces, and who found the terminal open should not lock others out.
        let claim = try access.claim(folder, allowsKept: false), key = claim.key
        defer { withExtendedLifetime(claim) {} }
        guard let key else { throw Reason.notEncrypted }
        try KeyChange.run(folder, from: key, to: try next.given(invocation))
        let path = try next.path.map { try place($0, invocation) }
        try invocation.print(done: KeyReport(action: .rekey, keyFile: path))
        return .ok
    }

    /// Offers to put a new key file where later commands read the key, or says what to type.
    ///
    /// - Returns: The path of the new key.
    private static func place(_ path: String, _ invocation: Invocation) throws -> String {
        guard let expected = try KeySource.usualFile(invocation) else {
            invocation.note(
                StyledText("later commands need --key-file \(path), or: tacit config set key.file \(path)"))
            return path
        }
        guard !KeySource.areSame(expected, path) else { return path }
        let old = "\(expected).old"
        let question = StyledText("Later commands read the key in \(expected). Put the new key there?")
        let questions = invocation[GlobalOptions.noInput] ? .nobody : invocation.questions
        if !Files.exists(old), try questions.confirm(question) {
            do throws(SystemError) {
                // Backups that were made before need the old key.
                if Files.exists(expected) { try Files.rename(expected, to: old) }
                try Files.rename(path, to: expected)
            } catch {
                throw Reason.keyNotWritten(error, at: expected)
            }
            invocation.note(StyledText("the old key is in \(old), for backups that were made before"))
            return expected
        }
        let words = ["mv", path, expected].map(ShellWord.quoted).joined(separator: " ")
        invocation.warn("later commands read the old key in \(expected), and fail; put the new key there: \(words)")
        return path
    }
}
