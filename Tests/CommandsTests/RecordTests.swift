import CommandKit
import Commands
import JSONCoding
import Testing

/// What all objects and plain records have in common. Names of times and columns are checked with the declarations.
@Suite struct RecordTests {
    /// The types of which no object belongs to a conversation. A new type stands here, or has `chat` and `chat_id`.
    private static let others: Set<String> = [
        "address", "chat-relay", "chat-relay-status", "chat-relay-test", "config-check", "config-path", "daemon",
        "db-backup", "db-check", "db-compact", "db-decrypt",
        "db-encrypt", "db-info", "db-rekey", "db-upgrade", "doctor", "error", "export", "export-preview", "fetch",
        "file-acceptance", "hook", "hook-path", "hook-test", "import", "init", "invitation", "link", "lock",
        "migration", "net-status",
        "notify-mode", "passcode", "profile", "progress", "proxy", "relay", "relay-backup", "relay-block",
        "relay-cert",
        "relay-delete", "relay-status", "server", "server-test", "setting", "status", "thaw", "unlock",
        "version",
    ]

    @Test func whatBelongsToAConversationSaysToWhich() {
        let forms = CommandTree.tacit.reports
        #expect(Self.others.isSubset(of: forms.map(\.type)))
        for form in forms {
            let chat = form.fields.first { $0.name == "chat" }, id = form.fields.first { $0.name == "chat_id" }
            // The version has a field of this name that was there before: the versions of the chat protocol.
            if form.type == "version" { continue }
            guard !Self.others.contains(form.type) else {
                #expect(chat == nil && id == nil, "\(form.type)")
                continue
            }
            #expect(chat?.kind == .text && id?.kind == .id, "\(form.type)")
            #expect(chat?.isOptional == id?.isOptional, "\(form.type)")
        }
    }

    @Test func everyTypeThatACommandPrintsHasColumns() {
        // They are printed as JSON alone.
        let onlyJSON: Set<String> = ["draft", "error", "event", "fetch", "progress"]
        for form in CommandTree.tacit.reports {
            #expect(form.plain.isEmpty == onlyJSON.contains(form.type), "\(form.type)")
        }
    }

    @Test func columnsAreInHelpManualAndSchema() throws {
        let tree = CommandTree.tacit
        for command in tree.root.family where !command.isHidden {
            let page = tree.fullHelp(for: command, width: 500)
            for form in command.reports where !form.plain.isEmpty {
                #expect(page.split(separator: "\n").contains { $0.hasSuffix(" \(form.plain.joined(separator: ", "))") })
                #expect(page.contains("\n  \(form.type) "))
            }
        }
        for form in tree.reports where !form.plain.isEmpty {
            #expect(form.schema["x-plain"]?.array?.compactMap(\.string) == form.plain)
        }
    }

    // MARK: - Cells

    private static let object: JSONObject = [
        "name": "a\tb", "count": 3, "on": true, "none": .array([]), "hosts": .array(["a", "b, c"]),
        "lock": .object(["pid": 7, "by": "fetch"]), "empty": .object([:]),
        "rows": .array([.object(["n": 1, "at": .object(["x": "y"])]), .object(["n": 2, "pages": .array([4, 5])])]),
    ]

    @Test(arguments: [
        ("name", "a\tb"), ("count", "3"), ("on", "true"), ("none", ""), ("hosts", "a\nb, c"),
        ("lock", "pid=7\nby=fetch"), ("lock.pid", "7"), ("empty", ""), ("rows", "n=1\nat.x=y\n\nn=2\npages=4\npages=5"),
        ("rows.n", "1\n2"), ("rows.at.x", "y"), ("rows.pages", "4\n5"), ("nothing", ""), ("lock.nothing", ""),
        ("name.x", ""), ("", ""), (".", ""), ("lock.", ""),
    ])
    func aCellHoldsNoJSON(name: String, text: String) {
        #expect(PlainCell.text(of: name, in: Self.object) == text)
    }
}
