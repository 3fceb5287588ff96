import CommandKit
import Testing

/// Where values come from when the command line does not give them.
@Suite struct EnvironmentTests {
    @Test func everyOptionHasAVariable() throws {
        let environment = [
            "TACIT_SEND_WAIT": "delivered", "TACIT_SEND_ATTACH": "a\nb", "TACIT_SEND_DRY_RUN": "yes",
            "TACIT_SEND_QUIET": "2", "TACIT_CONTACT_LIST_LAST": "5",
        ]
        let parsed = try #require(try Sample.parse(["send", "@a"], environment))
        #expect(parsed[Sample.wait] == .delivered)
        #expect(parsed[Sample.attach] == ["a", "b"])
        #expect(parsed[Sample.dryRun])
        #expect(parsed[Sample.quiet] == 2)
        #expect(parsed.origin(of: Sample.wait) == .variable("TACIT_SEND_WAIT"))
        #expect(try Sample.parse(["contact", "list"], environment)?[Sample.last] == 5)
    }

    @Test func theCommandLineWinsThenTheCommandsVariableThenTheOptionsOwn() throws {
        var environment = ["TACIT_TIMEOUT": "1h", "TACIT_SEND_TIMEOUT": "2m"]
        let given = try #require(try Sample.parse(["send", "@a", "--timeout", "3s"], environment))
        #expect(given[Sample.timeout] == .seconds(3))
        #expect(given.origin(of: Sample.timeout) == .commandLine)
        #expect(try Sample.parse(["send", "@a"], environment)?[Sample.timeout] == .seconds(120))
        environment["TACIT_SEND_TIMEOUT"] = ""
        #expect(try Sample.parse(["send", "@a"], environment)?[Sample.timeout] == .seconds(3600))
        environment["TACIT_TIMEOUT"] = nil
        let builtIn = try #require(try Sample.parse(["send", "@a"], environment))
        #expect(builtIn[Sample.timeout] == .seconds(30))
        #expect(builtIn.origin(of: Sample.timeout) == .builtIn)
    }

    @Test func aVariableCanTakeAFlagBack() throws {
        #expect(try Sample.parse(["connect"], ["TACIT_CONNECT_QR": "no"])?[Sample.qr] == false)
        #expect(try Sample.parse(["connect", "--qr"], ["TACIT_CONNECT_QR": "no"])?[Sample.qr] == true)
    }

    @Test func aBadVariableIsNamedUnlessTheCommandLineWins() throws {
        let environment = ["TACIT_TIMEOUT": "soon"]
        let error = UsageError.invalidValue(
            .variable("TACIT_TIMEOUT"), word: "soon", expected: "a duration such as 500ms, 30s or 10m",
            suggestions: [])
        #expect(throws: error) { try Sample.parse(["send", "@a"], environment) }
        #expect(error.isInConfiguration)
        #expect(try Sample.parse(["send", "@a", "-t", "1s"], environment)?[Sample.timeout] == .seconds(1))
        #expect(try Sample.parse(["contact", "list"], environment) != nil)
    }

    @Test func unrelated_variables_are_ignored() throws {
        let environment = ["TACIT_SEND_HELP": "1", "TACIT_WAIT": "x", "TACIT_LIST_LAST": "x"]
        #expect(try Sample.parse(["send", "@a"], environment) != nil)
    }

    @Test func aSecretIsNeverRepeated() throws {
        let pin = Option<Int?>(
            "pin", "Your number",
            ValueKind(
                ValueForm("PIN", expected: "four digits", choices: ["1234"], isSecret: true),
                read: { $0.utf8.count == 4 ? Int($0) : nil }, write: { "\($0)" }))
        let command = Command(
            "pay", "Pay", promise: "it is paid", store: .none, options: [pin], examples: [Example("tacit pay", "Pay")])
        let tree = CommandTree(
            program: "tacit", "Pay things", sections: [CommandTree.Section("All", [command])], exits: [])
        for (words, environment) in [(["pay", "--pin", "12345"], [:]), (["pay"], ["TACIT_PAY_PIN": "12345"])] {
            #expect {
                try tree.parse(arguments: words, environment: environment)
            } throws: { error in
                let text = (error as? UsageError)?.sentence(in: tree) ?? ""
                return !"\(error)".contains("1234") && !text.contains("1234") && text.contains("four digits")
            }
        }
    }
}
