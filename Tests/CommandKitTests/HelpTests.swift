import CommandKit
import Testing

@Suite struct HelpTests {
    @Test func shortHelpOfAVerb() {
        #expect(
            Sample.tree.shortHelp(for: Sample.send) == """
                Send a message

                Usage: tacit send TARGET [TEXT|-] [OPTIONS]

                Common options:
                  -w, --wait STAGE    Return when the message has come this far: queued, sent,
                                      delivered [default: sent]
                  -t, --timeout TIME  Give up waiting after this time [default: 30s]

                Examples:
                  tacit send @alice 'see you at 9'
                      Send a line
                  uptime | tacit send @alice -
                      Send what a program prints

                Read more: tacit send --help, tacit help targets
                Global options: tacit --help

                """)
    }

    @Test func fullHelpOfAVerb() {
        #expect(
            Sample.tree.fullHelp(for: Sample.send) == """
                Send a message

                Usage:
                  tacit send TARGET [TEXT|-] [--wait STAGE] [--timeout TIME] [--attach FILE]...
                        [--once KEY] [--dry-run]

                Examples:
                  tacit send @alice 'see you at 9'
                      Send a line
                  uptime | tacit send @alice -
                      Send what a program prints
                  tacit send +ops 'disk 91%' --once "disk-$(date +%F)" || echo "not sent: $?"
                      Safe to repeat

                The message is stored before anything else happens. It is never lost.

                  indented as written

                The end.

                Arguments:
                  TARGET  Who receives the message
                  TEXT|-  What to say; - reads standard input

                Options:
                  -w, --wait STAGE    Return when the message has come this far: queued, sent,
                                      delivered [default: sent]
                  -t, --timeout TIME  Give up waiting after this time [default: 30s]
                  -a, --attach FILE   Send a file along (can be repeated)
                      --once KEY      Send only once under this key
                  -n, --dry-run       Say what would be done, and do nothing

                Global options: tacit --help

                Environment:
                  TACIT_TIMEOUT      Value of --timeout
                  TACIT_SEND_OPTION  Value of any option, in capitals with _ for -

                Configuration files set these options in the section [send], with _ for -.

                Exit codes:
                  0   the relay has accepted the message
                  64  bad command line
                  75  try again later

                This command writes to the store; it waits while another command writes.
                With --json each line is an object of the type "send": see tacit schema.

                Plain columns:
                  send  id, state

                Topics:
                  tacit help targets  How people are named

                """)
    }

    @Test func shortHelpOfTheProgram() {
        #expect(
            Sample.tree.shortHelp(for: Sample.tree.root) == """
                Send and receive private messages

                Usage: tacit [OPTIONS] COMMAND

                Daily:
                  send     Send a message
                  connect  Connect with somebody

                Nouns: contact, daemon
                Other: help
                Read more: tacit --help, tacit help TOPIC

                """)
    }

    @Test func shortHelpOfANoun() throws {
        let daemon = try #require(Sample.tree.command(at: ["daemon"]))
        #expect(
            Sample.tree.shortHelp(for: daemon) == """
                Receive all the time

                Usage: tacit daemon [VERB]

                Verbs:
                  run   Run in the foreground (the default)
                  mark  Set a state

                Example: tacit daemon mark sent

                Read more: tacit daemon --help
                Global options: tacit --help

                """)
    }

    @Test func theFullHelpOfANounHasExamples() throws {
        let contact = try #require(Sample.tree.command(at: ["contact"]))
        let page = Sample.tree.fullHelp(for: contact)
        for verb in contact.subcommands where !verb.isHidden {
            #expect(page.contains("  \(try #require(verb.examples.first).line)\n"))
        }
    }

    @Test func onlyTheProgramListsTheGlobalOptions() {
        for command in Sample.tree.root.family {
            let pages = [Sample.tree.shortHelp(for: command), Sample.tree.fullHelp(for: command)]
            let lists = pages.map { $0.contains("\nGlobal options:\n") }
            let leads = pages.map { $0.contains("\nGlobal options: tacit --help\n") }
            #expect(lists == [false, command.path.isEmpty] && leads == [!command.path.isEmpty, !command.path.isEmpty])
        }
    }

    @Test func aNarrowScreenWrapsBetweenWords() {
        #expect(
            Sample.tree.shortHelp(for: Sample.send, width: 44) == """
                Send a message

                Usage: tacit send TARGET [TEXT|-] [OPTIONS]

                Common options:
                  -w, --wait STAGE    Return when the
                                      message has come this
                                      far: queued, sent,
                                      delivered [default:
                                      sent]
                  -t, --timeout TIME  Give up waiting after
                                      this time [default:
                                      30s]

                Examples:
                  tacit send @alice 'see you at 9'
                      Send a line
                  uptime | tacit send @alice -
                      Send what a program prints

                Read more: tacit send --help, tacit help
                           targets
                Global options: tacit --help

                """)
    }

    @Test func helpAboutACommandATopicAndNothing() throws {
        #expect(try Sample.tree.help(about: ["contact", "list"]).hasPrefix("List contacts\n"))
        #expect(try Sample.tree.help(about: []).hasPrefix("Send and receive private messages\n"))
        #expect(
            try Sample.tree.help(about: ["targets"]) == "How people are named\n\nA name starts with @.\n\n  @alice\n")
        #expect(throws: UsageError.unknownTopic("target", suggestions: ["targets"])) {
            try Sample.tree.help(about: ["target"])
        }
        #expect(throws: UsageError.unknownTopic("contact lits", suggestions: ["contact list"])) {
            try Sample.tree.help(about: ["contact", "lits"])
        }
        #expect(throws: UsageError.unknownTopic("sing x", suggestions: [])) {
            try Sample.tree.help(about: ["sing", "x"])
        }
    }

    @Test func hiddenCommandsAndLongTerms() {
        let long = Option<String?>("a-rather-long-option", "What it does", .text("SOMETHING"))
        let command = Command(
            "do", "Do it", promise: "it is done", store: .none, options: [long, Sample.force],
            examples: [Example("tacit do", "Do it")])
        let page = Sample.tree.shortHelp(for: command)
        #expect(page.contains("      --a-rather-long-option SOMETHING\n               What it does\n"))
        #expect(page.contains("      --force  Do it anyway\n"))
        #expect(!Sample.tree.fullHelp(for: Sample.tree.root).contains("__complete"))
    }

    @Test func noLineIsWiderThanTheScreenAndNoneEndsInSpace() {
        for command in Sample.tree.root.family {
            for width in [60, 80, 100] {
                for page in [
                    Sample.tree.shortHelp(for: command, width: width), Sample.tree.fullHelp(for: command, width: width),
                ] {
                    let pasted = command.examples.map { "  " + $0.line }
                    for line in page.split(separator: "\n").map(String.init) where !pasted.contains(line) {
                        #expect(line.count <= width, "\(line)")
                        #expect(!line.hasSuffix(" "))
                    }
                }
            }
            #expect(
                Sample.tree.shortHelp(for: command).split(separator: "\n", omittingEmptySubsequences: false).count <= 25
            )
        }
    }

    // MARK: - Sentences

    @Test func long_expectation_is_an_explanation() {
        let short = UsageError.invalidValue(.argument("WHAT"), word: "x", expected: "one or two", suggestions: [])
        #expect(short.explanations.isEmpty && short.sentence(in: Sample.tree).hasSuffix("expected one or two"))
        let many = String(repeating: "many, ", count: 12)
        let long = UsageError.invalidValue(.argument("WHAT"), word: "x", expected: many, suggestions: [])
        #expect(long.sentence(in: Sample.tree) == "WHAT cannot be 'x'" && long.explanations == ["expected \(many)"])
    }

    static let sentences: [(words: [String], sentence: String, remedies: [Remedy])] = [
        (
            ["snd"], "'tacit' has no command 'snd'",
            [Remedy("tacit send", "did you mean this?"), Remedy("tacit -h", "list its commands")]
        ),
        (
            ["contact", "lits"], "'tacit contact' has no command 'lits'",
            [Remedy("tacit contact list", "did you mean this?"), Remedy("tacit contact -h", "list its commands")]
        ),
        (["contact"], "'tacit contact' needs one of: list, rename", [Remedy("tacit contact -h", "list its commands")]),
        (
            ["send", "--wiat", "x"], "'tacit send' has no option '--wiat'",
            [Remedy("tacit send --wait", "did you mean this?"), Remedy("tacit send -h", "show its usage")]
        ),
        (
            ["send", "@a", "-5"], "'tacit send' has no option '-5'",
            [Remedy("tacit send TARGET -- -5", "if it is not an option"), Remedy("tacit send -h", "show its usage")]
        ),
        (
            ["--wait", "sent", "send"], "option '--wait' must follow the command",
            [Remedy("tacit -h", "list its commands")]
        ),
        (
            ["send", "@a", "-w"], "option '-w' needs a value; expected queued, sent or delivered",
            [Remedy("tacit send -h", "show its usage")]
        ),
        (["send", "--json=1"], "option '--json' takes no value", [Remedy("tacit send -h", "show its usage")]),
        (
            ["send", "-wsent"], "'-w' takes a value and cannot be combined: '-w VALUE' or '--wait VALUE'",
            [Remedy("tacit send -h", "show its usage")]
        ),
        (
            ["send", "@a", "--wait", "snt"],
            "the value of '--wait' cannot be 'snt'; expected queued, sent or delivered",
            [Remedy("--wait sent", "did you mean this?")]
        ),
        (
            ["daemon", "mark", "x"], "STATE cannot be 'x'; expected queued, sent or delivered", []
        ),
        (["send"], "'tacit send' needs TARGET", [Remedy("tacit send -h", "show its usage")]),
        (
            ["send", "a", "b", "c"], "'tacit send' takes no argument 'c'",
            [
                Remedy("tacit send TARGET 'TEXT WITH SPACES'", "quote the text"),
                Remedy("tacit send -h", "show its usage"),
            ]
        ),
    ]

    @Test(arguments: sentences.indices)
    func everyMistakeHasASentenceAndARemedy(index: Int) {
        let (words, sentence, remedies) = Self.sentences[index]
        do throws(UsageError) {
            _ = try Sample.parse(words)
            Issue.record("no mistake in \(words)")
        } catch {
            #expect(error.sentence(in: Sample.tree) == sentence)
            #expect(error.remedies(in: Sample.tree) == remedies)
            #expect(error.slug.hasPrefix("usage."))
            #expect(!error.isInConfiguration)
        }
    }
}
