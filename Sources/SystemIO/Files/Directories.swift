/// Where things live: the folders of the XDG base directory specification, or one portable folder.
public struct Directories: Hashable, Sendable {
    public let config: String
    /// The store: databases, lock, files.
    public let data: String
    /// Logs, and the control socket where there is no runtime folder.
    public let state: String
    /// The user's folder for what lives as long as a login, if the system has one.
    public let runtime: String?

    /// - `TACIT_DIR` holds everything when it is set.
    /// - Otherwise `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_STATE_HOME` or their defaults under `HOME`.
    ///
    /// Returns nil when neither `TACIT_DIR` nor `HOME` tells where that is. Relative XDG values are ignored, as the
    /// specification demands.
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
