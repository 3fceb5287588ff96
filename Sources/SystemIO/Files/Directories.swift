/// The folders of the program: those of the XDG base directory specification, or one portable folder.
public struct Directories: Hashable, Sendable {
    /// The folder of configuration files.
    public let config: String
    /// The folder of the store: databases, lock, files.
    public let data: String
    /// The folder of logs, and of the control socket without a runtime folder.
    public let state: String
    /// The user's folder for the time of a login, if the system has one.
    public let runtime: String?

    /// Reads the folders from the environment.
    ///
    /// - `TACIT_DIR` is the parent of all folders if it is set.
    /// - Otherwise `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_STATE_HOME` or their defaults under `HOME`.
    ///
    /// Returns nil without `TACIT_DIR` and `HOME`. Relative XDG values are ignored, as the specification demands.
    public init?(environment: [String: String]) {
        if let folder = environment["TACIT_DIR"], !folder.isEmpty {
            config = folder
            data = folder
            state = folder
            runtime = nil
            return
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        func folder(_ variable: String, _ fallback: String) -> String {
            if let value = environment[variable], value.hasPrefix("/") { return value + "/tacit" }
            return "\(home)/\(fallback)/tacit"
        }
        config = folder("XDG_CONFIG_HOME", ".config")
        data = folder("XDG_DATA_HOME", ".local/share")
        state = folder("XDG_STATE_HOME", ".local/state")
        runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 + "/tacit" : nil }
    }
}
