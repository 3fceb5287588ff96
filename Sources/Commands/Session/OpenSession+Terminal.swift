import CommandKit

/// What a session does with its terminal beside drawing, as the configuration says.
public struct TerminalSettings: Hashable, Sendable {
    /// Whether the bell rings for new messages and calls.
    public var ringsBell = false
    /// Whether the title of the window says where the session is.
    public var setsTitle = false

    public init() {}
}

extension OpenSession {
    /// As the files of the configuration are now. What cannot be read there changes nothing.
    public var terminalSettings: TerminalSettings {
        let settings = Configuration(environment).settings
        var terminal = TerminalSettings()
        terminal.ringsBell = (try? settings.value(of: ProgramSettings.bell, environment: environment)) ?? false
        terminal.setsTitle = (try? settings.value(of: ProgramSettings.title, environment: environment)) ?? false
        return terminal
    }
}
