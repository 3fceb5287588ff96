extension Invocation {
    /// A path of a configuration file, in which `~` stands for the home of the user.
    func expanded(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty else { return path }
        return home + path.dropFirst()
    }
}
