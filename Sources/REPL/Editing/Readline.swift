import CReadline
import Glibc
import Synchronization

/// The library: a line that is edited by keys, the bindings of the user's inputrc, and a history to walk in.
///
/// It neither reads nor draws here. Keys are given to it one by one with ``press(_:)``, which says what they asked for besides
/// a change of the line.
enum Readline {
    /// What a key asks of the program around the line.
    enum Request: Hashable, Sendable {
        case accept, complete, clearScreen, end, pageUp, pageDown, nextUnread, edit
    }

    /// What its functions, which have no context, leave behind for whoever called them.
    private struct State {
        var input: [UInt8] = []
        var position = 0
        var request: Request?
        var isChanged = false
        /// What the user's macros stand for, by what they are bound to.
        var macros: [Binding: [UInt8]] = [:]
        /// The keys of macros that were begun.
        var macroKeys: [UInt8] = []
        /// How many macros were begun since a key was typed.
        var macroCount = 0
        /// A line that was accepted.
        var acceptedLine: String?

        var hasKey: Bool { !macroKeys.isEmpty || position < input.count }
    }

    /// A place in one of the library's maps of keys.
    private struct Binding: Hashable {
        let map: Int
        let key: Int32
    }

    /// More macros than this that begin each other never end.
    private static let longestMacroChain = 50

    private static let state = Mutex(State())
    /// A key that gives up whatever waits for another one.
    private static let abort: UInt8 = 7

    // MARK: - Beginning

    /// Reads the user's bindings. Only once in a process, and before it has other threads.
    static func prepare() {
        // Whatever the environment says, text is UTF-8. The library asks the environment itself, at each new line; children get
        // what this process was born with.
        unsafe setenv("LC_ALL", "C.UTF-8", 1)
        unsafe setlocale(LC_CTYPE, "C.UTF-8")
        let nowhere = unsafe fopen("/dev/null", "we")
        unsafe tacit_prepare_readline(
            strdup("tacit"), nowhere, { _ in Readline.nextKey() }, { Readline.hasKey() ? 1 : 0 },
            {
                tacit_keep_place()
                tacit_drop_searched_changes()
                Readline.state.withLock { $0.isChanged = true }
            })
        // The name by which an inputrc may bind it.
        _ = unsafe rl_add_defun(strdup("next-unread-chat"), { _, _ in Readline.ask(.nextUnread) }, -1)
        unsafe rl_callback_handler_install("") { line in
            // Without a line it was Ctrl-D.
            if let line = unsafe line {
                let text = unsafe String(cString: line)
                unsafe free(line)
                Readline.state.withLock { $0.acceptedLine = text }
            }
            Readline.ask(unsafe line == nil ? .end : .accept)
        }
        bind()
    }

    /// What has no use in a session: searches that ask in the place of the line, for which there is Ctrl-R; what accepts a line
    /// that nobody meant to send; macros of keys; bindings from a file, which would undo those made here; and what takes words of the
    /// history apart, which reads past the end of a line that ends in a backslash.
    private static let unbound = [
        "non-incremental-reverse-search-history", "non-incremental-forward-search-history",
        "non-incremental-reverse-search-history-again", "non-incremental-forward-search-history-again",
        "insert-comment", "operate-and-get-next", "fetch-history", "re-read-init-file",
        "start-kbd-macro", "end-kbd-macro", "call-last-kbd-macro", "print-last-kbd-macro",
        "dump-functions", "dump-macros", "dump-variables",
        "yank-nth-arg", "yank-last-arg", "insert-last-argument", "vi-yank-arg",
    ]

    /// What the library would do on the screen is done here, and the history is walked through without its changes.
    private static func bind() {
        for name in unbound {
            unsafe tacit_replace_function(name) { _, _ in 0 }
        }
        tacit_replace_walks()
        takeMacros()
        let completions = [
            "complete", "possible-completions", "insert-completions", "menu-complete", "menu-complete-backward",
            "old-menu-complete", "vi-complete",
        ]
        for name in completions {
            unsafe tacit_replace_function(name) { _, _ in Readline.ask(.complete) }
        }
        for name in ["clear-screen", "clear-display", "redraw-current-line"] {
            unsafe tacit_replace_function(name) { _, _ in Readline.ask(.clearScreen) }
        }
        for keys in ["\\e\\C-m", "\\e\\C-j"] {
            unsafe tacit_bind(keys) { _, _ in unsafe rl_insert_text("\n") }
        }
        unsafe tacit_bind_if_free("\\e[5~") { _, _ in Readline.ask(.pageUp) }
        unsafe tacit_bind_if_free("\\e[6~") { _, _ in Readline.ask(.pageDown) }
        // As in irssi.
        unsafe tacit_bind_alt_if_free("\\ea") { _, _ in Readline.ask(.nextUnread) }
        // As in a shell.
        unsafe tacit_bind_if_free("\\C-x\\C-e") { _, _ in Readline.ask(.edit) }
        // Those function keys are no sequences of the common form.
        for key in ["OP", "OQ", "OR", "OS", "[[A", "[[B", "[[C", "[[D", "[[E"] {
            unsafe tacit_bind_if_free("\\e\(key)") { _, _ in 0 }
        }
        tacit_skip_unknown_keys()
    }

    /// The keys of a macro come in the same way as those that are typed: the library's own way, within one call of it, ends in
    /// places that are left already when a search or a count is given up.
    private static func takeMacros() {
        unsafe tacit_replace_macros(
            { _, _ in
                Readline.beginMacro()
            },
            { map, key, keys in
                guard let keys = unsafe keys else { return }
                let binding = Binding(map: Int(bitPattern: map), key: key)
                let bytes = unsafe Array(String(cString: keys).utf8)
                Readline.state.withLock { $0.macros[binding] = bytes }
            })
    }

    private static func beginMacro() -> Int32 {
        let binding = Binding(map: unsafe Int(bitPattern: tacit_executing_keymap()), key: tacit_executing_key())
        state.withLock { state in
            state.macroCount += 1
            guard state.macroCount <= longestMacroChain, let keys = state.macros[binding] else { return }
            state.macroKeys.insert(contentsOf: keys, at: 0)
        }
        return 0
    }

    @discardableResult
    private static func ask(_ request: Request) -> Int32 {
        state.withLock { $0.request = request }
        return 0
    }

    // MARK: - Keys

    /// Has the library take keys until one asks for something, and returns how many it took.
    static func press(_ keys: ArraySlice<UInt8>) -> (taken: Int, request: Request?) {
        state.withLock { state in
            (state.input, state.position, state.request) = (Array(keys), 0, nil)
        }
        while true {
            let (isDone, taken, request) = state.withLock { state in
                (state.request != nil || !state.hasKey, state.position, state.request)
            }
            if isDone { return (taken, request) }
            tacit_read_char()
        }
    }

    /// Whether keys of a macro wait to be pressed.
    static var isInMacro: Bool { state.withLock { !$0.macroKeys.isEmpty } }

    /// Forgets the keys of macros that were begun.
    static func dropMacro() {
        state.withLock { $0.macroKeys = [] }
    }

    private static func hasKey() -> Bool {
        state.withLock { $0.hasKey }
    }

    private static func nextKey() -> Int32 {
        state.withLock { state in
            if !state.macroKeys.isEmpty { return Int32(state.macroKeys.removeFirst()) }
            defer { state.position += 1 }
            state.macroCount = 0
            return Int32(state.position < state.input.count ? state.input[state.position] : abort)
        }
    }

    // MARK: - The line

    /// Whether the line was changed, or the place in it, since this was asked last.
    static func takeChange() -> Bool {
        state.withLock { state in
            defer { state.isChanged = false }
            return state.isChanged
        }
    }

    static var text: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: tacit_line(), count: Int(tacit_end())), as: UTF8.self)
    }

    /// The line that was accepted last. The library has begun an empty one.
    static func takeLine() -> String {
        state.withLock { state in
            defer { state.acceptedLine = nil }
            return state.acceptedLine ?? ""
        }
    }

    /// Where the next character goes, in bytes of UTF-8.
    static var cursor: Int {
        get { Int(tacit_point()) }
        set { tacit_set_point(Int32(clamping: newValue)) }
    }

    /// What the library says in place of the prompt: a search in the history, a count.
    static var message: String? {
        unsafe tacit_message().map { unsafe String(cString: $0) }
    }

    /// Gives up a search, a count or half a sequence of keys: these know nothing of changes that are not theirs.
    private static func endMode() {
        for _ in 0..<3 where tacit_is_busy() != 0 { _ = press([abort]) }
    }

    static func insert(_ text: String) {
        endMode()
        unsafe rl_insert_text(text)
    }

    /// Another line, which cannot be undone.
    static func replace(_ text: String) {
        endMode()
        rl_free_line_state()
        unsafe rl_replace_line(text, 0)
        cursor = Int(tacit_end())
    }

    /// An empty line, at the end of the history.
    static func startLine() {
        replace("")
        _ = rl_initialize()
    }

    /// Replaces the bytes in a range, as one step that can be undone.
    static func replace(_ range: Range<Int>, with text: String) {
        endMode()
        _ = rl_begin_undo_group()
        cursor = range.lowerBound
        _ = rl_delete_text(Int32(clamping: range.lowerBound), Int32(clamping: range.upperBound))
        insert(text)
        _ = rl_end_undo_group()
    }

    // MARK: - History

    /// How many lines can be walked through.
    private static let historyLimit: Int32 = 500

    static func remember(_ line: String) {
        stifle_history(historyLimit)
        unsafe add_history(line)
        using_history()
    }

    /// Forgets all lines.
    static func clearHistory() {
        rl_clear_history()
    }
}
