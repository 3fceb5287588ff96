import CommandKit
import JSONCoding
import Testing

/// What configuration files mean: known keys, precedence, aliases.
@Suite struct SettingsTests {
    private static func mistakes(_ text: String) -> [SettingsMistake.Kind] {
        Sample.tree.mistakes(in: SettingsText(Array(text.utf8)), at: "/1", checksValues: true).map(\.kind)
    }

    // MARK: - Precedence

    @Test func files_set_missing_options() throws {
        let settings = Sample.settings(
            "[send]\nwait = delivered\nattach = a\nattach = b\nquiet = 2\n[global]\nquiet = 1\n",
            "[send]\nwait = queued\ntimeout = 5m\ndry_run = on\n[global]\nprofile = home")
        let parsed = try #require(try Sample.parse(["send", "@a"], [:], settings))
        #expect(parsed[Sample.wait] == .delivered)
        #expect(parsed[Sample.attach] == ["a", "b"])
        #expect(parsed[Sample.timeout] == .seconds(300))
        #expect(parsed[Sample.dryRun] && parsed[Sample.profile] == "home")
        #expect(parsed[Sample.quiet] == 2)
        #expect(parsed.origin(of: Sample.wait) == .setting(.init(key: "send.wait", file: "/1", line: 2)))
        #expect(parsed.origin(of: Sample.timeout) == .setting(.init(key: "send.timeout", file: "/2", line: 3)))
        #expect(try Sample.parse(["connect"], [:], settings)?[Sample.quiet] == 1)
    }

    @Test func nearest_setting_takes_precedence() throws {
        let settings = Sample.settings("[global]\ncolor = never", "[send]\ncolor = always\nwait = queued")
        let environment = ["TACIT_SEND_WAIT": "delivered"]
        #expect(try Sample.parse(["send", "@a"], [:], settings)?[Sample.color] == .never)
        #expect(try Sample.parse(["send", "@a"], environment, settings)?[Sample.wait] == .delivered)
        #expect(try Sample.parse(["send", "@a", "--wait", "sent"], environment, settings)?[Sample.wait] == .sent)
        #expect(try Sample.parse(["send", "@a"], [:], settings)?[Sample.wait] == .queued)
    }

    /// Another process that is told them comes to the same.
    @Test func settings_survive_transfer() throws {
        let settings = Sample.settings(
            "[send]\nattach = a\nattach = b\n[global]\ncolor = never",
            "[send]\ncolor = always\nwait = queued\ntimeout = 5m")
        let told = try #require(Settings(json: try JSONValue(decoding: Array(settings.json.line.utf8))))
        #expect(told.all == settings.all && !told.all.isEmpty)
        let keys = ["send.color", "global.color"]
        #expect(told.found(keys) == settings.found(keys) && told.found(keys)?.values == ["never"])
        #expect(Settings(json: .array(["file"])) == nil)
        #expect(Settings(json: .array([.object(["file": "/1", "entries": .array([.object(["key": "a"])])])])) == nil)
    }

    @Test func variablesAndFilesGiveSettingsOfTheProgram() throws {
        let settings = Sample.settings("[net]\nplace = here\n[db]\nconfirm = yes")
        #expect(try settings.value(of: Sample.confirms, environment: [:]))
        #expect(try !Settings.none.value(of: Sample.confirms, environment: [:]))
        let place = Sample.place.declaration
        let all = ["TACIT_PLACE": "there", "ALL_PLACES": "everywhere"]
        #expect(settings.effective(place, environment: all).origin == .variable("TACIT_PLACE"))
        #expect(settings.effective(place, environment: ["ALL_PLACES": "everywhere"]).text == "here")
        #expect(Settings.none.effective(place, environment: ["ALL_PLACES": "everywhere"]).text == "everywhere")
        // Nothing is a value here, too.
        #expect(settings.effective(place, environment: ["TACIT_PLACE": ""]).text == "")
        #expect(Settings.none.effective(place, environment: [:]).origin == .builtIn)
    }

    @Test func aBadValueIsAMistakeOfTheFile() throws {
        let settings = Sample.settings("[send]\n\nwait = delivred")
        let error = UsageError.invalidValue(
            .setting(.init(key: "send.wait", file: "/1", line: 3)), word: "delivred",
            expected: "queued, sent or delivered", suggestions: ["delivered"])
        #expect(throws: error) { try Sample.parse(["send", "@a"], [:], settings) }
        #expect(error.isInConfiguration && error.slug == "config.setting")
        #expect(error.explanations == ["the setting is in /1:3"])
        #expect(error.remedies(in: Sample.tree).map(\.line) == ["tacit config set send.wait delivered"])
        // Who does not need it is not kept from working.
        #expect(try Sample.parse(["connect"], [:], settings) != nil)
        let confirms = Sample.settings("[db]\nconfirm = perhaps")
        #expect(throws: UsageError.self) { try confirms.value(of: Sample.confirms, environment: [:]) }
    }

    // MARK: - Keys

    @Test func everyOptionHasAKey() throws {
        let keys = Sample.tree.knownSettings.map(\.key)
        #expect(keys.prefix(2) == ["db.confirm", "net.place"])
        #expect(Set(keys).isSuperset(of: ["global.color", "send.dry_run", "contact.list.last", "daemon.run.force"]))
        #expect(Set(keys).count == keys.count && !keys.contains("global.help"))
        for key in keys { #expect(Sample.tree.setting(named: key)?.key == key) }
        // Global options may be set for a single command.
        let setting = try #require(Sample.tree.setting(named: "send.color"))
        #expect(setting.accepts("never") && !setting.accepts("x") && setting.choices == ["auto", "always", "never"])
        #expect(Sample.tree.setting(named: "send.dry_run")?.choices == ["yes", "no"])
    }

    @Test(arguments: [
        "send", "send.", ".wait", "", "send.wiat", "contact.last", "daemon.force", "alias.", "global.wait", "send.help",
        "__complete.color", "send..wait", "Send.wait", "alias.-x", "alias.a b", "alias.é", "alias.a=b",
        "alias.a#b", "alias.[x]", "alias.\"q\"", "alias.x\ny", "alias.a\t", "alias. ",
    ])
    func otherKeysMeanNothing(_ key: String) {
        #expect(Sample.tree.setting(named: key) == nil)
    }

    @Test func mistakesHaveTheirLinesAndSuggestions() {
        let text = SettingsText(Array("[send]\nwiat = sent\nwait = snet\n[sned]\nwait = sent\nonce = x\nnonsense".utf8))
        let found = Sample.tree.mistakes(in: text, at: "/x", checksValues: true)
        #expect(found.map(\.place) == ["/x:2", "/x:3", "/x:5", "/x:6", "/x:7"])
        #expect(
            found.map(\.suggestions) == [["send.wait"], ["send.wait = sent"], ["send.wait"], ["send.once"], []])
        #expect(found.map(\.mayBeNewer) == [true, false, true, true, false])
        #expect(Sample.tree.mistakes(in: text, at: "/x", checksValues: false).count == 4)
    }

    // MARK: - Aliases

    @Test func anAliasStandsForItsWords() throws {
        let settings = Sample.settings(
            "[alias]\ns = send\nhi = s @alice 'good morning'\nq = -q hi\nsend = connect\nj = --json --color never s")
        func expanded(_ words: String...) throws -> [String] { try settings.expanding(words, in: Sample.tree) }
        #expect(try expanded("s", "@bob", "hi") == ["send", "@bob", "hi"])
        #expect(
            try expanded("--color", "auto", "hi", "-q") == ["--color", "auto", "send", "@alice", "good morning", "-q"])
        #expect(try expanded("q") == ["-q", "send", "@alice", "good morning"])
        #expect(try expanded("j", "x") == ["--json", "--color", "never", "send", "x"])
        // A command is what it is, and words behind it are its own.
        #expect(try expanded("send", "s") == ["send", "s"])
        #expect(try expanded("x", "s") == ["x", "s"])
        #expect(try expanded("--", "s") == ["--", "s"] && expanded().isEmpty)
        #expect(settings.aliases(in: Sample.tree).map(\.name) == ["hi", "j", "q", "s"])
        #expect(Self.mistakes("[alias]\nsend = connect") == [.hiddenAlias("send")])
    }

    @Test(arguments: [
        ("[alias]\na = b\nb = --json a", "config.alias", 2), ("[alias]\na = sned @b", "config.alias", 2),
        ("[alias]\na = 'send", "config.setting", 2), ("[alias]\n\na = send | wc", "config.setting", 3),
        ("[alias]\na =", "config.setting", 2), ("[alias]\na = send > x", "config.setting", 2),
    ])
    func aBrokenAliasIsAMistakeOfTheFile(_ text: String, _ slug: String, _ line: Int) {
        let settings = Sample.settings(text)
        #expect {
            try settings.expanding(["a"], in: Sample.tree)
        } throws: { error in
            let mistake = error as? SettingsMistake
            return mistake?.slug == slug && mistake?.line == line && mistake?.file == "/1"
        }
        #expect(!Self.mistakes(text).isEmpty || !settings.aliasMistakes(in: Sample.tree).isEmpty)
        #expect((try? settings.expanding(["send", "a"], in: Sample.tree)) == ["send", "a"])
    }

    @Test func aliasesAreCompleted() {
        let settings = Sample.settings("[alias]\ns = send\nsay = s @alice")
        let first = Sample.tree.offer(for: ["s"], settings: settings)
        #expect(first.candidates.map(\.word) == ["send", "s", "say"])
        #expect(Sample.tree.offer(for: ["s", ""], settings: settings).wanted == .chat)
        #expect(Sample.tree.offer(for: ["say", "--wa"], settings: settings).candidates.map(\.word) == ["--wait"])
    }
}
