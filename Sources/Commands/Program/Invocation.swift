import ByteCoding
import ChatCore
import CommandKit
import CryptoCore
import Host
import JSONCoding
import SMPProtocol
import SystemIO
import TerminalKit

/// One run of a command: what was asked for, where to look and where to write.
struct Invocation: Sendable {
    let parsed: Parsed
    /// Without `TACIT_KEY`, so that no child gets it.
    private(set) var environment: [String: String]
    /// What stood in `TACIT_KEY`, or behind `-k` of the official program.
    let environmentKey: Secret?
    /// True if ``environmentKey`` stood behind `-k`.
    var keyIsOption = false
    var output: Output
    let errors: Output
    let format: GlobalOptions.Format
    /// What the configuration files say besides defaults of options, which ``parsed`` holds.
    var settings: Settings
    /// Where what is done is said; nowhere, where nobody is to hear of it.
    let log: Trace?

    /// The store that is open already, on which the command runs; nil for a command that opens it itself.
    let host: OpenStore?
    let input: CommandInput
    let questions: Questions
    /// Called when all that the command writes is written, and it goes on only to wait.
    var whenWritten: @Sendable () -> Void = {}
    /// How a session looks; nil where there can be none.
    let session: SessionFace?
    /// Ends the command early.
    let cancellation = Cancellation()
    let profilePassword: KeptPassword
    /// What has to be ended with this process.
    let runningHook = RunningHook()

    init(
        _ parsed: Parsed, environment: [String: String], environmentKey: Secret?, settings: Settings, output: Output,
        errors: Output, log: Trace?,
        host: OpenStore? = nil, input: CommandInput = .standard, questions: Questions = .terminal,
        session: SessionFace? = nil, profilePassword: KeptPassword = KeptPassword()
    ) {
        self.log = log
        self.parsed = parsed
        self.settings = settings
        self.environment = environment
        self.environmentKey = environmentKey
        self.output = output
        self.errors = errors
        self.host = host
        self.input = input
        self.questions = questions
        self.session = session
        self.profilePassword = profilePassword
        format = Invocation.format(parsed)
    }

    /// How results and errors are printed: as what stands nearest to the command says.
    static func format(_ parsed: Parsed) -> GlobalOptions.Format {
        var formats: [(format: GlobalOptions.Format, rank: Int)] = []
        if parsed[GlobalOptions.json] { formats.append((.json, parsed.origin(of: GlobalOptions.json).rank)) }
        if parsed[GlobalOptions.plain] { formats.append((.plain, parsed.origin(of: GlobalOptions.plain).rank)) }
        if parsed[GlobalOptions.fields] != nil {
            formats.append((.plain, parsed.origin(of: GlobalOptions.fields).rank))
        }
        if parsed[GlobalOptions.nul] { formats.append((.plain, parsed.origin(of: GlobalOptions.nul).rank)) }
        formats.append((parsed[GlobalOptions.format], parsed.origin(of: GlobalOptions.format).rank))
        // Of equal ones the first.
        return formats.min { $0.rank < $1.rank }?.format ?? .text
    }

    subscript<Value>(option: Option<Value>) -> Value { parsed[option] }
    subscript<Value>(positional: Positional<Value>) -> Value { parsed[positional] }

    /// The words of the command, as a person types them: `profile create`.
    var commandName: String { parsed.command.path.joined(separator: " ") }

    var isQuiet: Bool { parsed[GlobalOptions.quiet] > 0 }

    /// The value of a setting of the program.
    func value<Value>(of setting: Setting<Value>) throws(UsageError) -> Value {
        try settings.value(of: setting, environment: environment)
    }

    /// What a setting of the program is set to, and by what.
    func effective(_ setting: some DeclaresSetting) -> (text: String?, origin: Parsed.Origin) {
        settings.effective(setting.declaration, environment: environment)
    }

    /// Where everything lives.
    func directories() throws(Failure) -> Directories {
        guard let directories = Directories(environment: environment) else {
            let isSet = environment["HOME"].map { !$0.isEmpty } ?? false
            throw Failure.noHome(isSet: isSet, command: commandName)
        }
        return directories
    }

    /// The same run for the store in a folder, with the configuration there.
    func moved(to folder: String) -> Invocation {
        var moved = self
        moved.environment["TACIT_DIR"] = ProcessEnvironment.absolutePath(folder)
        moved.settings = Configuration(moved.environment).settings
        return moved
    }

    /// The folder of the store, which need not exist.
    ///
    /// - Throws: ``StoreExposure`` if another user owns or can change it.
    func storeFolder() throws -> StoreFolder {
        let folder = StoreFolder(try directories().data)
        try folder.checkAccess()
        return folder
    }

    /// What tells this machine from others; nil if nothing does.
    var machine: MachineID? { environment["TACIT_MACHINE_ID"].flatMap { MachineID($0) } ?? .current }

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

    /// Says what is done, if that is wanted.
    func trace(_ text: String, _ source: Trace.Source = .store, level: Int = 1) {
        log?.write(text, source, level: level)
    }

    /// Says what happened, if that is wanted.
    func trace(_ event: any ChatEvent) {
        log?.write(event)
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

    /// Prints the results of one action one after the other, without a table.
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

    /// How wide a table is where there is no terminal.
    private static let tableWidth = 80

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
            let width = parsed[GlobalOptions.wide] ? nil : output.traits.width ?? Invocation.tableWidth
            if !list.isEmpty { try output.write(lines: table.lines(width: width)) }
        }
        try output.flush()
    }

    /// Prints messages with their ids, under titles.
    func print(listed items: [LocatedItem]) throws {
        let reports = MessageReport.list(items, withIDs: true)
        if format == .text, let width = reports.first?.idWidth {
            let id = StyledText("ID", .heading).padded(toWidth: width, .left)
            try output.write(lines: [id + "  " + StyledText("MESSAGE", .heading)])
        }
        try print(list: reports)
    }

    private func printPlain<Item: Report>(_ list: [Item]) throws {
        let fields = try plainFields(of: Item.self)
        let terminator: PlainRecord.Terminator = parsed[GlobalOptions.nul] ? .nul : .newline
        for report in list {
            let json = report.json
            try output.write(PlainRecord(fields.map { PlainCell.text(of: $0, in: json) }), endingWith: terminator)
        }
    }

    private func plainFields<Item: Report>(of type: Item.Type) throws(Failure) -> [String] {
        guard let names = chosenFields else { return Item.fields }
        // What was done is no failure because one of several kinds of objects has no such column.
        if parsed.command.store == .reading { try check(names, against: Item.forms) }
        return names
    }

    /// What `--fields` names.
    private var chosenFields: [String]? {
        parsed[GlobalOptions.fields]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Refuses fields that nothing has that the command prints, before it does anything. A command that only reads finds that out
    /// when it knows what it prints.
    func checkFields() throws(Failure) {
        let forms = parsed.command.reports
        guard format == .plain, let names = chosenFields, parsed.command.store != .reading, !forms.isEmpty else {
            return
        }
        try check(names, against: forms)
    }

    private func check(_ names: [String], against forms: [ReportForm]) throws(Failure) {
        let known = forms.flatMap(\.columnNames)
        for name in names where !known.contains(name) {
            // The common ones first; of several types those of the first.
            let own = forms.prefix(1).flatMap { $0.plain + (ReportForm.common + $0.fields).map(\.name) }
            var seen: Set<String> = []
            let shown = own.filter { seen.insert($0).inserted }
            throw Failure.unknownField(name, of: commandName, shown: shown, known: known)
        }
    }
}

extension Parsed.Origin {
    /// How near to the command it is.
    fileprivate var rank: Int {
        switch self {
        case .commandLine: 0
        case .variable: 1
        case .setting: 2
        case .builtIn: 3
        }
    }
}

extension Output {
    /// Writes an error as far as that is possible, and returns its exit code.
    func write(_ failure: Failure, asJSON isJSON: Bool) -> ExitCode {
        try? isJSON ? write(json: failure.json) : write(lines: failure.lines)
        try? flush()
        return failure.exit
    }
}
