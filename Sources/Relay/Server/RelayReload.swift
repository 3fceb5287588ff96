/// What a relay did with settings that it has read again.
public struct RelayReload: Hashable, Sendable {
    /// A setting that has another value now; nil for values that are secret or not set.
    public struct Change: Hashable, Sendable {
        public let name: String
        public let old: String?
        public let new: String?
    }

    /// What is in effect now.
    public let changes: [Change]
    /// Settings that were changed in the file and take effect at the next start.
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
