import CommandKit
import SystemIO
import TestSupport
import Testing

@testable import REPL

@Suite struct PathCompletionTests {
    private func words(_ beginning: String, home: String?) -> [String] {
        PathCompletion.candidates(for: beginning, home: home).map(\.word)
    }

    @Test func files_and_folders_of_a_folder() throws {
        let folder = try TemporaryFolder()
        try Files.createFolder(folder.path + "/papers/old")
        for name in ["plan.pdf", "photo.png", ".hidden", "pa\u{1b}[2J"] {
            try Files.create(folder.path + "/" + name, [1])
        }
        let path = folder.path + "/"
        #expect(words(path, home: nil) == ["papers/", "photo.png", "plan.pdf"].map { path + $0 })
        #expect(words(path + "p", home: nil).count == 3)
        #expect(words(path + ".", home: nil) == [path + ".hidden"])
        #expect(words(path + "x", home: nil) == [])
        #expect(words("~", home: folder.path) == ["~/"])
        #expect(words("~/pl", home: folder.path) == ["~/plan.pdf"])
        #expect(words("~/papers/", home: folder.path) == ["~/papers/old/"])
        #expect(words("~/none/", home: folder.path) == [])
    }

    @Test func the_home_folder_stands_for_a_tilde() {
        #expect(PathCompletion.expanded("~/a", home: "/home/ann") == "/home/ann/a")
        #expect(PathCompletion.expanded("~", home: "/home/ann") == "/home/ann")
        #expect(PathCompletion.expanded("~bob/a", home: "/home/ann") == "~bob/a")
        #expect(PathCompletion.expanded("~/a", home: nil) == "~/a")
        #expect(PathCompletion.expanded("a~", home: "/home/ann") == "a~")
    }

    @Test func a_folder_with_spaces_leaves_its_quote_open() {
        let folder = WordCompletion(0..<3, typed: "my", [.init("my papers/")])
        #expect(folder.outcome == .replace(0..<3, with: "\"my papers/"))
        let file = WordCompletion(0..<3, typed: "my", [.init("my plan.pdf")])
        #expect(file.outcome == .replace(0..<3, with: "\"my plan.pdf\" "))
        let plain = WordCompletion(0..<3, typed: "mi", [.init("mine/")])
        #expect(plain.outcome == .replace(0..<3, with: "mine/"))
    }
}
