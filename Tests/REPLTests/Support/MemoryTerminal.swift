import CryptoCore
import TerminalKit

@testable import REPL

/// A terminal that keeps what is drawn, and takes keys.
final class MemoryTerminal: SessionTerminal {
    var width = 80
    var height = 24
    var usesColor = false
    var isDumb = false
    var lastKey = ContinuousClock.now
    var usesOwnPage = false

    var prompt: StyledText = ""
    var banner: StyledText = ""
    var title: String?
    /// Rings of the bell.
    private(set) var rings = 0

    private(set) var text = ""
    private(set) var cursor = 0
    private(set) var history: [String] = []
    /// Rows that were printed since ``forget()``.
    private(set) var rows: [String] = []
    private(set) var clears = 0
    private(set) var hasList = false
    /// The question in place of the line.
    private(set) var question: String?
    private var onAnswer: ((String?) -> Void)?
    private var former = ""
    private var onSecret: ((Secret?) -> Void)?
    private(set) var secretQuestion: String?
    /// Called with each line.
    var onLine: (String) -> Void = { _ in }

    /// True if a row with this text was printed.
    func shows(_ text: String) -> Bool {
        rows.contains { row in row.indices.contains { row[$0...].hasPrefix(text) } }
    }

    func forget() { rows = [] }

    // MARK: Keys

    func type(_ keys: String) {
        lastKey = .now
        text += keys
        cursor = text.utf8.count
    }

    /// Enter, behind what is typed.
    func enter(_ keys: String = "") {
        type(keys)
        let line = text
        if question != nil { return answer(line) }
        clear()
        onLine(line)
    }

    func enterSecret(_ keys: String) {
        lastKey = .now
        onSecret?(Secret(copying: Array(keys.utf8)))
    }

    // MARK: The line

    func ring() { rings += 1 }

    func replace(_ text: String, cursor: Int?) {
        self.text = text
        self.cursor = cursor ?? text.utf8.count
    }

    func replace(_ range: Range<Int>, with text: String) {
        let bytes = Array(self.text.utf8)
        let changed = bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...]
        replace(String(decoding: changed, as: UTF8.self))
    }

    func clear() { replace("") }
    func remember(_ line: String) { history.append(line) }
    func clearHistory() { history = [] }

    // MARK: Questions

    var isAsking: Bool { question != nil }
    var isAskingSecret: Bool { secretQuestion != nil }

    func ask(_ text: StyledText, _ onAnswer: @escaping (String?) -> Void) {
        answer(nil)
        (question, self.onAnswer, former) = (text.text, onAnswer, self.text)
        clear()
    }

    func answer(_ answer: String?) {
        guard let onAnswer else { return }
        (question, self.onAnswer) = (nil, nil)
        replace(former)
        onAnswer(answer)
    }

    func askSecret(_ text: StyledText, isRefusable: Bool, _ onAnswer: @escaping (Secret?) -> Void) {
        answer(nil)
        (secretQuestion, onSecret) = (text.text, onAnswer)
    }

    func endSecret() { (secretQuestion, onSecret) = (nil, nil) }

    // MARK: Above the line

    func print(_ lines: [StyledText]) {
        hasList = false
        rows += lines.map(\.text)
    }

    func print(verbatim text: String) { print(text.split(separator: "\n").map { StyledText(String($0)) }) }

    func print(list lines: [StyledText]) {
        print(lines)
        hasList = true
    }

    func replace(list lines: [StyledText]) { print(list: lines) }

    func clearScreen() {
        clears += 1
        rows = []
    }
}
