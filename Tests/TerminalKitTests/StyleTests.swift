import TerminalKit
import Testing

@Suite struct StyleTests {
    static let colors: [(choice: ColorChoice, isTerminal: Bool, environment: [String: String], usesColor: Bool)] = [
        (.auto, true, ["TERM": "xterm"], true),
        (.auto, false, ["TERM": "xterm"], false),
        (.auto, true, ["TERM": "dumb"], false),
        (.auto, true, [:], false),
        (.auto, true, ["TERM": ""], false),
        (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false),
        (.auto, true, ["TERM": "xterm", "NO_COLOR": "0"], false),
        (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], true),
        (.auto, false, ["CLICOLOR_FORCE": "1"], true),
        (.auto, false, ["CLICOLOR_FORCE": "0"], false),
        (.auto, false, ["CLICOLOR_FORCE": ""], false),
        (.auto, true, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
        (.auto, true, ["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
        (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
        (.never, true, ["TERM": "xterm", "CLICOLOR_FORCE": "1"], false),
    ]

    @Test(arguments: colors.indices)
    func colorIsDecidedByOptionEnvironmentAndStream(index: Int) {
        let (choice, isTerminal, environment, usesColor) = Self.colors[index]
        #expect(choice.usesColor(isTerminal: isTerminal, environment: environment) == usesColor)
    }

    @Test func aTerminalHasAWidthAndAPipeHasNone() throws {
        let terminal = try PseudoTerminal(columns: 33)
        let environment = ["TERM": "xterm"]
        let traits = StreamTraits(descriptor: terminal.user, color: .auto, environment: environment)
        #expect(traits == StreamTraits(isTerminal: true, width: 33, usesColor: true))
        let narrow = StreamTraits(descriptor: terminal.user, color: .never, environment: ["COLUMNS": "20"])
        #expect(narrow == StreamTraits(isTerminal: true, width: 20, usesColor: false))
        for columns in ["0", "-1", "x", "", "99999"] {
            let traits = StreamTraits(descriptor: terminal.user, color: .auto, environment: ["COLUMNS": columns])
            #expect(traits.width == 33)
        }
        let unknown = try PseudoTerminal(columns: 0)
        #expect(StreamTraits(descriptor: unknown.user, color: .auto, environment: [:]).width == 80)
        #expect(StreamTraits(descriptor: -1, color: .auto, environment: ["COLUMNS": "20"]) == .pipe)
    }

    @Test func styledTextKeepsItsPieces() {
        let text = StyledText("error:", .error) + " no " + StyledText("@bob", .name)
        #expect(text.text == "error: no @bob")
        #expect(text.width == 14)
        #expect(text.rendered(inColor: true) == "\u{1b}[1;31merror:\u{1b}[0m no \u{1b}[1;36m@bob\u{1b}[0m")
        #expect(
            text.truncated(toWidth: 12).rendered(inColor: true)
                == "\u{1b}[1;31merror:\u{1b}[0m no \u{1b}[1;36m@…\u{1b}[0m")
        #expect(text.truncated(toWidth: 6).text == "error…")
        #expect(text.truncated(toWidth: 0).text == "")
        #expect(text.truncated(toWidth: 14) == text)
        #expect(StyledText("7").padded(toWidth: 3, .right).text == "  7")
        #expect(StyledText("漢").padded(toWidth: 4).text == "漢  ")
    }

    @Test func noStyleLetsControlsThrough() {
        for style in Style.allCases {
            #expect(StyledText("\u{1b}[0m\n", style).text == "\\x1b[0m\\n")
        }
    }

    @Test func everyStyleButThePlainOneIsVisible() {
        for style in Style.allCases {
            #expect((StyledText("x", style).rendered(inColor: true) == "x") == (style == .plain))
        }
    }
}
