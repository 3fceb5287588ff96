import Synchronization
import SystemIO
import TestSupport
import Testing

/// What the files may say, by the layer they are in. `swift format lint` refuses `!` and its relatives.
@Suite(.timeLimit(.minutes(60))) struct SourceTests {
    /// The modules of the toolchain that are used. Foundation costs megabytes and milliseconds, and is not.
    private static let toolchain: Set<String> = ["Glibc", "Synchronization"]
    private static let testToolchain = toolchain.union(["Testing", "FoundationEssentials"])

    @Test func importsAreDeclared() throws {
        for target in try DeclaredPackage.current.get().targets where target.kind != "system" {
            var allowed = Set(target.dependencies)
            allowed.formUnion(target.isInProgram ? Self.toolchain : Self.testToolchain)
            if Layer.pure.contains(target.name) { allowed.remove("Glibc") }
            let files = try SourceFile.all(in: target.folder).filter { $0.path.hasSuffix(".swift") }
            #expect(!files.isEmpty, "\(target.name)")
            for file in files {
                #expect(file.code.imports.subtracting(allowed) == [], "\(file.path)")
            }
        }
    }

    @Test func pureTargetsAreSafeAndKnowNoTime() throws {
        let refused: Set = [
            "unsafe", "fatalError", "ContinuousClock", "SuspendingClock", "clock_gettime", "gettimeofday",
        ]
        for target in try DeclaredPackage.current.get().targets where Layer.pure.contains(target.name) {
            for file in try SourceFile.all(in: target.folder) where file.path.hasSuffix(".swift") {
                #expect(file.code.words.intersection(refused) == [], "\(file.path)")
            }
        }
    }

    @Test func no_two_types_share_a_name() throws {
        let files = try SourceFile.all(in: "Sources").filter { $0.path.hasSuffix(".swift") }
        let places = files.flatMap { file in file.code.topLevelTypes.map { (name: $0, path: file.path) } }
        #expect(places.count > 500)
        let twins = Dictionary(grouping: places, by: \.name).filter { $0.value.count > 1 }
        let descriptions = twins.map { name, places in "\(name): \(places.map(\.path).sorted())" }
        #expect(descriptions.sorted() == [])
    }

    /// Documentation tools show the page `<Target>.docc/<Target>.md`, and no comment above an `import`.
    @Test func every_target_has_an_overview() throws {
        for target in try DeclaredPackage.current.get().targets where target.isInProgram && target.kind == "regular" {
            let files = try SourceFile.all(in: target.folder)
            let path = "\(target.folder)/\(target.name).docc/\(target.name).md"
            guard let overview = files.first(where: { $0.path == path }) else {
                Issue.record("\(path) is missing")
                continue
            }
            #expect(overview.text.hasPrefix("# ``\(target.name)``\n\n"), "\(path)")
            let code = files.filter { $0.path.hasSuffix(".swift") }
            let known = Set(code.flatMap(\.code.topLevelTypes)).union([target.name, "Swift"])
            #expect(overview.linkedTypes.subtracting(known) == [], "\(path)")
            for file in code {
                let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
                let isAboveImport = zip(lines, lines.dropFirst()).contains { comment, next in
                    comment.hasPrefix("///") && next.split(separator: " ").prefix(2).contains("import")
                }
                #expect(!isAboveImport, "\(file.path)")
            }
        }
    }

    /// Messages are the same in all kinds of chats; ``ConversationPolicy`` says in what these differ.
    @Test func commands_for_messages_name_no_groups() throws {
        let folders = ["Messages", "Outbox"].map { "Sources/ChatCore/Commands/\($0)" }
        let chats = try SourceFile.all(in: "Sources/ChatCore/Commands/Chats")
        let files =
            try folders.flatMap(SourceFile.all(in:)) + chats.filter { $0.path.hasSuffix("/MarkItemsRead.swift") }
        #expect(files.count > 16)
        let refused: Set = ["group", "groups", "Group", "Groups", "isGroup", "isChannel", "isNotes"]
        for file in files { #expect(file.code.words.intersection(refused) == [], "\(file.path)") }
    }

    /// In these files alone the code of messages tells kinds of chats apart: the policies, and the recipients and their files.
    @Test func kinds_of_chats_are_told_apart_in_policies() throws {
        let folders = ["Conversations", "Exchange", "Expiry", "Files"].map { "Sources/ChatCore/\($0)" }
        let signs = [
            "case .direct", "case .group", "case .notes", ".isNotes", "group == nil", "group != nil", ".member?.",
        ]
        let files = try folders.flatMap(SourceFile.all(in:)).filter { file in
            // Tables have columns for the kinds.
            !file.path.contains("/ChatStore+") && signs.contains(where: file.code.text.contains)
        }
        let names = files.compactMap { $0.path.split(separator: "/").last }.sorted()
        #expect(
            names == [
                "ConversationPolicy.swift", "Conversations+Deliveries.swift", "Conversations+Files.swift",
                "IncomingMessage.swift",
            ])
    }

    /// Besides archives, which bring entries as they are.
    @Test func entries_are_inserted_in_one_place() throws {
        let files = try SourceFile.all(in: "Sources").filter { file in
            !file.path.contains("/Archives/") && ["INTO items (", "INTO items\n"].contains(where: file.text.contains)
        }
        #expect(files.map(\.path) == ["Sources/ChatCore/Conversations/ChatStore+NewItems.swift"])
    }

    @Test func nothingIsForced() throws {
        for file in try SourceFile.all(in: "Sources") where file.path.hasSuffix(".swift") {
            #expect(file.code.words.intersection(["try!", "as!"]) == [], "\(file.path)")
            #expect(!file.text.contains("swift-format-ignore"), "\(file.path)")
        }
    }
}

/// A file of the repository.
struct SourceFile {
    /// Inside of the repository.
    let path: String
    let text: String

    /// The code without comments and literals. Several tests read all files, and each file is taken apart once.
    var code: SwiftCode {
        if let known = SourceFile.codes.withLock({ $0[path] }) { return known }
        let code = SwiftCode(text)
        SourceFile.codes.withLock { $0[path] = code }
        return code
    }

    private static let codes = Mutex<[String: SwiftCode]>([:])

    /// The first names of the links in a page of documentation: ``Database/run(_:_:)`` leads to `Database`.
    var linkedTypes: Set<String> {
        var names: Set<String> = []
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, !line.hasPrefix("```") else { continue }
            // Every second part stands between two pairs of backquotes.
            for (index, part) in line.split(separator: "``", omittingEmptySubsequences: false).enumerated()
            where !index.isMultiple(of: 2) {
                names.insert(String(part.prefix { $0 != "/" && $0 != "(" }))
            }
        }
        return names
    }

    /// The files in a folder and those below it, except known answers, what was recorded, and what tools leave behind.
    static func all(in folder: String) throws -> [SourceFile] {
        try Files.names(in: VectorFile.repositoryPath(folder)).flatMap { name -> [SourceFile] in
            let path = "\(folder)/\(name)", place = VectorFile.repositoryPath(path)
            if ["Tests/Vectors", "Tests/Fixtures"].contains(path) || name.hasPrefix(".") || name == "__pycache__" {
                return []
            }
            if Files.isFolder(place) { return try all(in: path) }
            return [
                SourceFile(path: path, text: String(decoding: try Files.read(place, limit: 1 << 20), as: UTF8.self))
            ]
        }
    }
}
