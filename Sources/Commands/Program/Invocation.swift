import ByteCoding
import ChatCore
import CommandKit
import CryptoCore
import JSONCoding
import SMPProtocol
import SystemIO
import TerminalKit

/// One run of a command: what was asked for, where to look and where to write.
struct Invocation: Sendable {
    let parsed: Parsed
    /// Without `TACIT_KEY`, so that no child gets it.
    let environment: [String: String]
    /// What stood in `TACIT_KEY`.
    let environmentKey: Secret?
    let output: Output
    let errors: Output
    let format: GlobalOptions.Format
    /// The store that is open already, on which the command runs; nil for a command that opens it itself.
    let host: StoreHost?
    let input: CommandInput
    let questions: Questions
    /// How a session looks; nil where there can be none.
    let session: SessionFace?
    /// Ends the command early.
    let cancellation = Cancellation()
    /// What has to be ended with this process.
    let runningHook = RunningHook()

    init(
        _ parsed: Parsed, environment: [String: String], environmentKey: Secret?, output: Output, errors: Output,
        host: StoreHost? = nil, input: CommandInput = .standard, questions: Questions = .terminal,
        session: SessionFace? = nil
    ) {
        self.parsed = parsed
        self.environment = environment
        self.environmentKey = environmentKey
        self.output = output
        self.errors = errors
        self.host = host
        self.input = input
        self.questions = questions
        self.session = session
        format = Invocation.format(parsed)
    }

    /// How results and errors are printed.
    static func format(_ parsed: Parsed) -> GlobalOptions.Format {
        if parsed[GlobalOptions.json] { return .json }
        let saysHowRecordsLook = parsed[GlobalOptions.fields] != nil || parsed[GlobalOptions.nul]
        return parsed[GlobalOptions.plain] || saysHowRecordsLook ? .plain : parsed[GlobalOptions.format]
    }

    subscript<Value>(option: Option<Value>) -> Value { parsed[option] }
    subscript<Value>(positional: Positional<Value>) -> Value { parsed[positional] }

    /// The words of the command, as a person types them: `profile create`.
    var commandName: String { parsed.command.path.joined(separator: " ") }

    var isQuiet: Bool { parsed[GlobalOptions.quiet] > 0 }

    /// Where everything lives.
    func directories() throws(Failure) -> Directories {
        guard let directories = Directories(environment: environment) else {
            throw Failure(
                "config.home", .config, "cannot find a place for the store: HOME is not set",
                tries: [.init("TACIT_DIR=/some/folder tacit \(commandName)", "one folder for everything")])
        }
        return directories
    }

    func storeFolder() throws(Failure) -> StoreFolder {
        StoreFolder(try directories().data)
    }

    /// The time as people read it, or in UTC if that is asked for.
    func time(_ timestamp: Timestamp) -> String {
        LocalTime.text(milliseconds: timestamp.milliseconds, utc: parsed[GlobalOptions.utc])
            ?? timestamp.description
    }

    // MARK: - Writing

    /// Says on standard error that something has changed, unless only errors are wanted.
    func note(_ text: StyledText) {
        guard !isQuiet else { return }
        say(text)
    }

    /// Says on standard error what a person should know even where only errors are wanted.
    func warn(_ text: String) {
        say(StyledText("tacit: warning:", .warning) + " " + StyledText(text))
    }

    /// Says on standard error what is done, if that is wanted.
    func trace(_ text: String) {
        guard parsed[GlobalOptions.verbose] > 0 else { return }
        say(StyledText(text, .muted))
    }

    /// Says which relays are used, if that is wanted.
    func trace(_ event: ChatEvent) {
        switch event {
        case .hostConnected(let server): trace("connected to \(server.place)")
        case .hostDisconnected(let server, let problem):
            trace("no connection to \(server.place): \(Reason(problem).text)")
        default: break
        }
    }

    /// What cannot be said there is lost: nothing depends on it.
    private func say(_ text: StyledText) {
        try? errors.write(line: text)
        try? errors.flush()
    }

    /// Reports an error, and returns the exit code that it asks for. What passes by itself needs no person, which is
    /// what `-qq` is for.
    @discardableResult
    func report(_ failure: Failure) -> ExitCode {
        if parsed[GlobalOptions.quiet] > 1, failure.exit == .later { return failure.exit }
        return errors.write(failure, asJSON: format == .json)
    }

    /// Prints what was done, unless only errors are wanted: then the exit code says it.
    func print(done report: some Report) throws {
        if !isQuiet { try print(report) }
    }

    /// Prints the results of one deed one after the other, without a table.
    func print<Item: Report>(done reports: [Item]) throws {
        for report in reports { try print(done: report) }
    }

    /// Prints what was asked for, and lets it out at once.
    func print(_ report: some Report) throws {
        switch format {
        case .json: try output.write(json: report.json)
        case .plain: try printPlain([report])
        case .text: try output.write(lines: report.lines(ReportStyle(self)))
        }
        try output.flush()
    }

    /// Prints results one after the other; those with columns as a table.
    func print<Item: Report>(list: [Item]) throws {
        switch format {
        case .json: for report in list { try output.write(json: report.json) }
        case .plain: try printPlain(list)
        case .text:
            let style = ReportStyle(self)
            guard !Item.columns.isEmpty else {
                for report in list { try output.write(lines: report.lines(style)) }
                break
            }
            var table = Table(Item.columns)
            for report in list { table.add(report.cells(style)) }
            if !list.isEmpty { try output.write(lines: table.lines(width: output.traits.width)) }
        }
        try output.flush()
    }

    private func printPlain<Item: Report>(_ list: [Item]) throws {
        let fields = try plainFields(of: Item.self)
        let terminator: PlainRecord.Terminator = parsed[GlobalOptions.nul] ? .nul : .newline
        for report in list {
            let json = report.json
            try output.write(PlainRecord(fields.map { json[$0].map(\.plainText) ?? "" }), endingWith: terminator)
        }
    }

    private func plainFields<Item: Report>(of type: Item.Type) throws(Failure) -> [String] {
        guard let wish = parsed[GlobalOptions.fields] else { return Item.fields }
        let names = wish.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let known = Item.knownFields
        for name in names where !known.contains(name) {
            throw Failure(
                "usage.field", .usage, "'tacit \(commandName)' has no field \(UntrustedText(name).quoted)",
                why: ["the fields are \(known.joined(separator: ", "))"],
                tries: Suggestion.closest(to: name, among: known).map { .init("--fields \($0)", "did you mean this?") })
        }
        return names
    }
}

extension JSONValue {
    /// A field of a plain record.
    fileprivate var plainText: String { string ?? line }
}

extension Output {
    /// Writes an error as far as that is possible, and returns its exit code.
    func write(_ failure: Failure, asJSON isJSON: Bool) -> ExitCode {
        try? isJSON ? write(json: failure.json) : write(lines: failure.lines)
        try? flush()
        return failure.exit
    }
}
