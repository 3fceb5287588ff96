import Testing

/// An error of a face is declared in the one file of its layer, and its slug has one exit code in all of them.
@Suite struct ErrorRegistryTests {
    private static let registries: Set = [
        "Sources/Commands/Errors/CommandErrors.swift", "Sources/Commands/Errors/CoreErrors.swift",
        "Sources/Commands/Errors/RelayErrors.swift", "Sources/Commands/Errors/SystemErrors.swift",
        "Sources/REPL/Errors/SessionErrors.swift",
    ]
    private static let faces = ["Sources/Commands", "Sources/REPL", "Sources/Host", "Sources/tacit"]

    @Test func every_registry_is_there() throws {
        let files = Set(try Self.files().map(\.path))
        #expect(Self.registries.subtracting(files) == [])
    }

    @Test func errors_are_declared_in_the_registries_only() throws {
        for file in try Self.files() where !Self.registries.contains(file.path) {
            #expect(Self.literals(in: file.text) == [], "\(file.path)")
        }
    }

    @Test(arguments: [
        #"throw Reason("key.file", .noInput, "it is gone")"#, "throw Failure(\n    \"usage.value\", .usage, text)",
        #"Reason(error, "it is gone", at: path, "key.file", .noInput)"#, #"let failure = Failure("x.y", exit, "")"#,
    ])
    func a_literal_outside_of_them_is_found(code: String) {
        #expect(Self.literals(in: code) != [])
    }

    @Test(arguments: [
        #"throw Reason.bug"#, #"preconditionFailure("it has bytes")"#, #"Failure.Attempt("tacit status", "see")"#,
        #"Reason(error)"#, #"reason.code == "key.file""#, #"noteFailure("a.b")"#,
    ])
    func other_code_is_not(code: String) {
        #expect(Self.literals(in: code) == [])
    }

    /// Scripts branch on exit codes first and on slugs second, so a slug says more, not something else.
    @Test func a_slug_has_one_exit_code_in_all_layers() throws {
        var found: [String: Set<String>] = [:]
        for file in try Self.files() where Self.registries.contains(file.path) {
            for match in file.text.matches(of: Self.declaration) {
                found[String(match.slug), default: []].insert(String(match.exit))
            }
        }
        #expect(found.count > 200 && found["key.file"] == ["noInput"], "\(found.count)")
        for (slug, exits) in found { #expect(exits.count == 1, "\(slug): \(exits.sorted())") }
    }

    // MARK: - Reading

    /// A slug with the name of its exit code, as in `"key.file", .noInput`.
    private static var declaration: Regex<(Substring, slug: Substring, exit: Substring)> {
        #/"(?<slug>[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*)",\s*\.(?<exit>[a-zA-Z]+)\b/#
    }
    /// An error that is made of a literal slug.
    private static var construction: Regex<Substring> { #/\b(?:Reason|Failure)\(\s*"/# }

    private static func literals(in text: String) -> [String] {
        text.matches(of: declaration).map { String($0.output.0) }
            + text.matches(of: construction).map { String($0.output) }
    }

    private static func files() throws -> [SourceFile] {
        try faces.flatMap { try SourceFile.all(in: $0) }.filter { $0.path.hasSuffix(".swift") }
    }
}
