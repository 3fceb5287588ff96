import CryptoCore
import SystemIO
import TerminalKit

/// A line at the bottom of a terminal that a person edits while other things are printed above it.
///
/// Nothing blocks: keys are read when the loop says that there are some, and everything that was printed in a turn of the loop
/// goes to the screen at its end. To be used on the loop's thread; there can be only one.
final class LineEditor {
    /// A request of a person besides changes of the line.
    enum Event: Sendable {
        /// A line is complete. It is gone from the screen.
        case line(String)
        /// The word before the cursor is to be completed.
        case complete
        /// Ctrl-D on an empty line.
        case end
        /// Ctrl-C. It ends an open question.
        case interrupt
        /// Ctrl-Z.
        case suspend
        /// Rows before those on the screen, or after them.
        case pageUp, pageDown
        /// The next chat with unread messages.
        case nextUnread
        /// The line is to be edited elsewhere.
        case edit
        /// The terminal is gone.
        case hangUp
    }

    let loop: EventLoop
    let descriptor: Int32
    let canvas: TerminalCanvas
    let onEvent: (Event) -> Void
    var input = TypedInput()
    var replies = TerminalReplies()
    /// True or false once the terminal has said whether it can show pictures.
    var picturesAreShown: Bool?
    /// Called with the answer of the terminal.
    var onReply: ((Bool) -> Void)?
    var releaseTimer: SystemIO.Timer?
    private var mode: TerminalMode?
    private(set) var isDrawingDue = false
    private(set) var waiting = ""
    /// The number of rows right above the prompt that are a list which can be replaced.
    var listRows: Int?
    /// The question in place of the line; nil if none is open.
    var question: Question?
    private(set) var isShown = false
    /// The time of the last key.
    var lastKey = ContinuousClock.now

    /// Stands before the line.
    var prompt: StyledText = "> " {
        didSet { if prompt != oldValue { redraw() } }
    }

    /// Stands above the prompt, unless a secret is asked for.
    var banner: StyledText = "" {
        didSet {
            guard banner != oldValue else { return }
            // A terminal where nothing can stand above the prompt gets it once.
            if canvas.isDumb, !banner.isEmpty { print([banner]) } else { redraw() }
        }
    }

    /// The secret that is typed and not shown; nil if none is asked for.
    var secret: SecretLine?
    /// True if the session has a page of its own, of which nothing stays behind.
    var usesOwnPage = false {
        didSet { if isShown { canvas.useOwnPage(usesOwnPage) } }
    }

    /// A question, and the line that comes back when it is answered.
    struct Question {
        let text: StyledText
        let former: (text: String, cursor: Int)
        let onAnswer: (String?) -> Void
    }

    init(_ descriptor: Int32, canvas: TerminalCanvas, loop: EventLoop, onEvent: @escaping (Event) -> Void) {
        self.descriptor = descriptor
        self.canvas = canvas
        self.loop = loop
        self.onEvent = onEvent
    }

    // MARK: - Beginning and end

    /// Takes the terminal over, and shows the prompt.
    func start() throws {
        let mode = try TerminalMode(of: descriptor)
        try mode.readKeys()
        self.mode = mode
        try loop.watch(descriptor, for: .reading) { [unowned self] _ in readKeys() }
        // Keys come before everything else, so that they are shown at once.
        loop.prioritize(descriptor)
        canvas.resize()
        canvas.useOwnPage(usesOwnPage)
        canvas.markPastes(true)
        canvas.own(true)
        isShown = true
        redraw()
    }

    /// Gives the terminal back as it was, without the prompt.
    ///
    /// - Parameter keepsSecret: True if a secret is still asked for when it goes on.
    func stop(keepsSecret: Bool = false) {
        guard let mode else { return }
        listRows = nil
        replied(nil)
        answer(nil)
        if !keepsSecret {
            refuseSecret()
            secret = nil
        }
        flush()
        canvas.erase()
        canvas.markPastes(false)
        canvas.own(false)
        canvas.useOwnPage(false)
        loop.prioritize(nil)
        loop.unwatch(descriptor)
        mode.restore(dropsTyped: false)
        self.mode = nil
        isShown = false
    }

    // MARK: - The line

    var text: String { Readline.text }
    var cursor: Int { Readline.cursor }

    /// Puts another line into place.
    func replace(_ text: String, cursor: Int? = nil) {
        Readline.replace(text)
        if let cursor { Readline.cursor = cursor }
        redraw()
    }

    func insert(_ text: String) {
        Readline.insert(text)
        redraw()
    }

    /// Replaces the bytes in a range of the line.
    func replace(_ range: Range<Int>, with text: String) {
        guard range.upperBound <= Readline.text.utf8.count else { return }
        Readline.replace(range, with: text)
        redraw()
    }

    /// Empties the line.
    func clear() {
        Readline.startLine()
        redraw()
    }

    // MARK: - Printing

    /// Prints lines above the prompt, in the order of the calls.
    func print(_ lines: [StyledText]) {
        print(verbatim: lines.map { $0.rendered(inColor: canvas.usesColor) + "\r\n" }.joined())
    }

    /// Prints whole lines that are made for this terminal.
    func print(verbatim text: String) {
        guard !text.isEmpty else { return }
        listRows = nil
        waiting += text
        redraw()
    }

    /// Draws the changes when the turn of the loop ends.
    func redraw() {
        guard !isDrawingDue else { return }
        isDrawingDue = true
        loop.atEndOfTurn { [weak self] in self?.flush() }
    }

    /// Draws now.
    func flush() {
        isDrawingDue = false
        // Another program may have the terminal: what is printed meanwhile comes when it is given back.
        guard isShown else { return }
        let lines = waiting
        waiting = ""
        _ = Readline.takeChange()
        canvas.banner = secret == nil ? banner : ""
        if let secret {
            canvas.draw(lines, prompt: secret.text, text: "", cursor: 0)
            return
        }
        let before = question?.text ?? Readline.message.map { StyledText($0) } ?? prompt
        canvas.draw(lines, prompt: before, text: Readline.text, cursor: Readline.cursor)
        if canvas.isBroken { onEvent(.hangUp) }
    }

    /// The window has another size.
    func resize() {
        listRows = nil
        canvas.resize()
        redraw()
    }

    /// An empty screen with the prompt.
    func clearScreen() {
        // What was printed before it must not come behind it.
        flush()
        listRows = nil
        canvas.clear()
        redraw()
    }
}
