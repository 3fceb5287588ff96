import SystemIO

/// The use of colour: `--color auto|always|never`.
public enum ColorChoice: String, Hashable, Sendable, CaseIterable {
    /// By the properties of the stream, for all streams, or for none.
    case auto, always, never

    /// Returns true if a stream gets colour.
    ///
    /// The option takes precedence; then `NO_COLOR` (no-color.org, any text), then `CLICOLOR_FORCE`
    /// (bixense.com/clicolors, anything but `0`), then the support of the terminal. Empty variables count as unset.
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

/// The properties of a stream.
public struct StreamTraits: Hashable, Sendable {
    /// True if the stream is a terminal.
    public let isTerminal: Bool
    /// The width in columns for wrapping and cutting; nil for none.
    public let width: Int?
    /// True if output has colours.
    public let usesColor: Bool

    /// Creates a stream traits from its parts.
    public init(isTerminal: Bool, width: Int?, usesColor: Bool) {
        self.isTerminal = isTerminal
        self.width = width
        self.usesColor = usesColor
    }

    /// The traits of a pipe or a file.
    public static let pipe = StreamTraits(isTerminal: false, width: nil, usesColor: false)

    /// Reads the properties of the stream with this descriptor.
    public init(descriptor: Int32, color: ColorChoice, environment: [String: String]) {
        let terminal = Terminal(descriptor: descriptor)
        self.init(
            isTerminal: terminal.isTerminal, columns: terminal.columns, color: color, environment: environment)
    }

    /// Creates the properties from those of the system. `COLUMNS` takes precedence, and a terminal of unknown width has
    /// 80 columns.
    init(isTerminal: Bool, columns: Int?, color: ColorChoice, environment: [String: String]) {
        let asked = environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
        self.init(
            isTerminal: isTerminal, width: isTerminal ? asked ?? columns ?? 80 : nil,
            usesColor: color.usesColor(isTerminal: isTerminal, environment: environment))
    }
}
