import CommandKit

/// The settings of a session for its terminal.
public struct TerminalSettings: Hashable, Sendable {
    /// True if the bell rings for new messages and calls.
    public var ringsBell = false
    /// True if the title of the window shows the screen.
    public var setsTitle = false
    /// The shell command that opens a link; nil to copy links.
    public var browser: String?

    public init() {}
}

extension SessionStore {
    /// The settings in the configuration files; defaults for those that cannot be read.
    public var terminalSettings: TerminalSettings {
        let settings = Configuration(environment).settings
        var terminal = TerminalSettings()
        terminal.ringsBell = (try? settings.value(of: ProgramSettings.bell, environment: environment)) ?? false
        terminal.setsTitle = (try? settings.value(of: ProgramSettings.title, environment: environment)) ?? false
        terminal.browser = (try? settings.value(of: ProgramSettings.browser, environment: environment)) ?? nil
        return terminal
    }
}
