import CommandKit
import Commands
import SystemIO
import TestSupport
import Testing

/// The files that are made from the command model and checked in: the manual, and the completions of the shells.
///
/// `make generated` writes them; the test that does so fails, because somebody must read what has changed.
@Suite struct GeneratedFilesTests {
    private static let files: [(path: String, text: String)] =
        CommandTree.tacit.manual(.current).map { ("man/\($0.fileName)", $0.text) }
        + CompletionShell.allCases.map {
            ("completions/\(fileName(of: $0))", CommandTree.tacit.completionScript(for: $0))
        }

    private static func fileName(of shell: CompletionShell) -> String {
        shell == .zsh ? "_tacit" : "tacit.\(shell.rawValue)"
    }

    @Test func areWhatTheModelSays() throws {
        let isRecording = ProcessEnvironment.variables()["TACIT_RECORD"] == "1"
        for file in GeneratedFilesTests.files {
            let path = VectorFile.repositoryPath(file.path)
            let text = (try? Files.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
            guard text != file.text else { continue }
            if isRecording {
                try Files.createFolder(VectorFile.repositoryPath(String(file.path.prefix { $0 != "/" })))
                try? Files.remove(path)
                try Files.create(path, Array(file.text.utf8))
            }
            Issue.record("\(file.path) is not what the command model says: make generated")
        }
    }

    @Test func noOthersAreThere() throws {
        for folder in ["man", "completions"] {
            let known = GeneratedFilesTests.files.map(\.path).filter { $0.hasPrefix("\(folder)/") }
            let found = try Files.names(in: VectorFile.repositoryPath(folder)).map { "\(folder)/\($0)" }
            #expect(found == known.sorted())
        }
    }
}
