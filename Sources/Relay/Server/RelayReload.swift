/// The result of reloading the settings of a relay.
public struct RelayReload: Hashable, Sendable {
    /// A changed setting; nil for secret or unset values.
    public struct Change: Hashable, Sendable {
        /// The name of the setting.
        public let name: String
        /// The former value.
        public let old: String?
        /// The new value.
        public let new: String?
    }

    /// The changes in effect.
    public let changes: [Change]
    /// The changed settings that require a restart.
    public let needRestart: [String]

    init(from old: RelaySettings, to new: RelaySettings) {
        let changed = RelaySetting.all.filter { $0.text(old) != $0.text(new) }
        changes = changed.filter(\.isReloaded).map { setting in
            let isSecret = setting.name == "password"
            return Change(
                name: setting.name, old: isSecret ? nil : setting.text(old), new: isSecret ? nil : setting.text(new))
        }
        needRestart = changed.filter { !$0.isReloaded }.map(\.name)
    }
}
