import SystemIO

/// When to use colour: `--color auto|always|never`.
public enum ColorChoice: String, Hashable, Sendable, CaseIterable {
    case auto, always, never

    /// Whether a stream gets colour.
    ///
    /// The option wins; then `NO_COLOR` (no-color.org, any text), then `CLICOLOR_FORCE` (bixense.com/clicolors, anything
    /// but `0`), then whether it is a terminal that understands colour. Empty variables count as unset.
    public func usesColor(isTerminal: Bool, environment: [String: String]) -> Bool {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if value("NO_COLOR") != nil { return false }
            if let force = value("CLICOLOR_FORCE"), force != "0" { return true }
            return isTerminal && value("TERM") != nil && value("TERM") != "dumb"
        }
    }
}

/// What is known about a stream; each is judged on its own.
public struct StreamTraits: Hashable, Sendable {
    /// Whether a person may be at the other end.
    public let isTerminal: Bool
    /// The columns that text must fit into; nil where nothing is wrapped or cut.
    public let width: Int?
    public let usesColor: Bool

    public init(isTerminal: Bool, width: Int?, usesColor: Bool) {
        self.isTerminal = isTerminal
        self.width = width
        self.usesColor = usesColor
    }

    /// A pipe or a file.
    public static let pipe = StreamTraits(isTerminal: false, width: nil, usesColor: false)

    /// Asks the system about the stream with this descriptor.
    public init(descriptor: Int32, color: ColorChoice, environment: [String: String]) {
        let terminal = Terminal(descriptor: descriptor)
        self.init(
            isTerminal: terminal.isTerminal, columns: terminal.columns, color: color, environment: environment)
    }

    /// Judges a stream by what the system said: `COLUMNS` wins over it, and a terminal that does not know its width
    /// has 80 columns.
    init(isTerminal: Bool, columns: Int?, color: ColorChoice, environment: [String: String]) {
        let asked = environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
        self.init(
            isTerminal: isTerminal, width: isTerminal ? asked ?? columns ?? 80 : nil,
            usesColor: color.usesColor(isTerminal: isTerminal, environment: environment))
    }
}
