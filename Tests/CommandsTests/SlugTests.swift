import SystemIO
import TerminalKit
import TestSupport
import Testing

/// The slugs of errors as the sources declare them: many are made where they are thrown, and no list has them all.
@Suite struct SlugTests {
    /// Scripts branch on exit codes first and on slugs second, so a slug says more, not something else.
    @Test func a_slug_has_one_exit_code_wherever_it_is_declared() throws {
        // A slug with the name of its exit code, as in `"key.file", .noInput`.
        let declarations = #/"(?<slug>[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*)",\s*\.(?<exit>[a-zA-Z]+)\b/#
        let exits = Set(ExitCode.allCases.map { "\($0)" })
        var found: [String: Set<String>] = [:]
        for path in try Self.sources(VectorFile.repositoryPath("Sources")) {
            let text = String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self)
            for match in text.matches(of: declarations) where exits.contains(String(match.exit)) {
                found[String(match.slug), default: []].insert(String(match.exit))
            }
        }
        #expect(found.count > 200 && found["key.file"] == ["noInput"], "\(found.count)")
        for (slug, exits) in found { #expect(exits.count == 1, "\(slug): \(exits.sorted())") }
    }

    private static func sources(_ folder: String) throws -> [String] {
        try Files.names(in: folder).flatMap { name in
            let path = "\(folder)/\(name)"
            if Files.isFolder(path) { return try sources(path) }
            return name.hasSuffix(".swift") ? [path] : []
        }
    }
}
