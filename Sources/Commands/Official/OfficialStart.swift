import ChatCore
import CommandKit
import CryptoCore
import Host
import SystemIO
import TerminalKit

/// A start of the program under the name of the official one, read from its command line.
struct OfficialStart: Sendable {
    /// The name by which the program is started then: that of a link.
    static let programName = "simplex-chat"

    /// What the command line asks for.
    enum Request: Sendable {
        case start(OfficialStart)
        case help(isFull: Bool)
        case version
    }

    /// The use of the store.
    enum Mode: Sendable {
        /// Clients connect over WebSocket.
        case server(ListenAddress)
        /// One command.
        case command(String)
        /// A person types.
        case session
    }

    private let parsed: Parsed
    /// The path that the official program puts before the names of its databases; nil for the store of `TACIT_DIR`.
    let prefix: String?
    let mode: Mode

    subscript<Value>(option: Option<Value>) -> Value { parsed[option] }

    // MARK: - Reading

    /// Reads the arguments.
    ///
    /// - Throws: ``UsageError``, or a ``Failure`` for options that are refused.
    static func request(_ arguments: [String], environment: [String: String]) throws -> Request {
        switch try CommandTree.official.parse(arguments: spelled(arguments), environment: [:]) {
        case .help(_, let isFull): return .help(isFull: isFull)
        case .run(let parsed):
            guard !parsed[OfficialOptions.version] else { return .version }
            return .start(try OfficialStart(parsed, environment))
        }
    }

    private init(_ parsed: Parsed, _ environment: [String: String]) throws(Failure) {
        for group in OfficialOptions.refused {
            for option in group.options where parsed.writtenText(of: option.declaration) != nil {
                throw .officialOption("--\(option.declaration.name)", group.reason)
            }
        }
        guard !parsed[OfficialOptions.botAllowsFiles] || parsed[OfficialOptions.botName] != nil else {
            throw .officialBotWithoutName
        }
        guard parsed[OfficialOptions.botName] == nil || parsed[OfficialOptions.userName] == nil else {
            throw .exclusive("'--create-bot-display-name'", "'--user-display-name'")
        }
        self.parsed = parsed
        if let prefix = parsed[OfficialOptions.database], !prefix.isEmpty {
            self.prefix = ProcessEnvironment.absolutePath(prefix)
        } else if let folder = environment["TACIT_DIR"], !folder.isEmpty {
            prefix = nil
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            prefix = "\(home)/.simplex/simplex_v1"
        } else {
            throw .noHome(isSet: environment["HOME"].map { !$0.isEmpty } ?? false, command: OfficialStart.programName)
        }
        // The official program also runs the command if both are given.
        if let command = parsed[OfficialOptions.command], !command.isEmpty {
            mode = .command(command)
        } else if let port = parsed[OfficialOptions.port] {
            mode = .server(port)
        } else {
            mode = .session
        }
    }

    /// Returns the words with long options only, each with its value in the same word: the official program takes any word after
    /// an option as its value, and letters that are joined with each other and with a value (`-yp5225`).
    static func spelled(_ arguments: [String]) -> [String] {
        var words: [String] = [], remaining = arguments[...]
        let options = CommandTree.official.root.options
        while let word = remaining.popFirst() {
            guard word != "--" else { return words + [word] + remaining }
            if word.hasPrefix("--") {
                let takesValue = options.contains { $0.takesValue && word == "--\($0.name)" }
                words.append(takesValue ? joined(word, remaining.popFirst()) : word)
                continue
            }
            guard word.hasPrefix("-"), word != "-" else {
                words.append(word)
                continue
            }
            var letters = word.dropFirst()
            while let letter = letters.popFirst() {
                if let long = OfficialOptions.letters[letter] {
                    words.append(long)
                } else if letter == CommandTree.help.declaration.letter {
                    // The short help has no long word.
                    words.append("-\(letter)")
                } else if let option = options.first(where: { $0.letter == letter }) {
                    let takesValue = option.takesValue, rest = String(letters)
                    let value = takesValue ? (rest.isEmpty ? remaining.popFirst() : rest) : nil
                    words.append(joined("--\(option.name)", value))
                    if takesValue { break }
                } else {
                    words.append("-\(letter)")
                }
            }
        }
        return words
    }

    private static func joined(_ option: String, _ value: String?) -> String {
        value.map { "\(option)=\($0)" } ?? option
    }

    // MARK: - What follows for tacit

    /// The folder of the store: the prefix itself if it is a folder with a store, or else `PREFIX.tacit`, as in the C library.
    /// Nil for the store of `TACIT_DIR`.
    var folder: StoreFolder? {
        prefix.map { StoreFolder(prefix: $0) }
    }

    /// The chat database of the official program with this prefix, if it exists.
    var officialDatabase: String? {
        guard let path = prefix.map({ $0 + "_chat.db" }), Files.exists(path) else { return nil }
        return path
    }

    /// Returns the environment with the variables that the options stand for.
    ///
    /// - Parameter hasKey: True if `-k` gives the key, which then comes from nowhere else.
    func environment(_ environment: [String: String], hasKey: Bool) -> [String: String] {
        var environment = environment
        if let folder { environment["TACIT_DIR"] = folder.path }
        if hasKey { for name in KeySource.variables { environment[name] = nil } }
        if let proxy = self[OfficialOptions.socksProxy] { environment["TACIT_PROXY"] = proxy }
        switch (self[OfficialOptions.hostMode], self[OfficialOptions.requiresHostMode]) {
        case (.onion?, let isRequired): environment["TACIT_ONION"] = isRequired ? "require" : "prefer"
        case (.open?, _): environment["TACIT_ONION"] = "never"
        case (nil, _): break
        }
        if let mode = self[OfficialOptions.proxyMode] { environment["TACIT_SMP_PROXY"] = mode }
        if let mode = self[OfficialOptions.proxyFallback] {
            environment["TACIT_SMP_PROXY_FALLBACK"] = mode
        }
        return environment
    }

    /// The command line of tacit that does the same, with the log as asked for.
    var words: [String] {
        let isDetailed = self[OfficialOptions.logLevel] == .debug || self[OfficialOptions.logsAgent]
        let isLogged =
            self[OfficialOptions.logLevel] == .info || self[OfficialOptions.logsConnections]
            || self[OfficialOptions.logsHosts] || self[OfficialOptions.logsErrors]
        var words: [String] = isDetailed ? ["-vv"] : isLogged ? ["-v"] : []
        if let file = self[OfficialOptions.logFile] { words.append("--log-file=\(file)") }
        switch mode {
        case .server(let address): words += ["--no-input", "api", "--websocket", address.description]
        case .command(let command): words += ["--no-input", "api", "--", command]
        case .session: words.append("repl")
        }
        return words
    }

    /// The files to receive without asking; nil for the setting.
    var acceptedFiles: FileAcceptance? {
        let size = Int64(self[OfficialOptions.acceptedFileSize])
        guard size > 0 else { return nil }
        return FileAcceptance(Dictionary(uniqueKeysWithValues: FileKind.allCases.map { ($0, size) }))
    }
}
