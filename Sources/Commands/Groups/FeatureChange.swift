import ChatProtocol
import CommandKit

/// A change of a permission of members, as it is typed: `files=off`, `links=admin`, `disappearing=7d`.
struct FeatureChange: Hashable, Sendable {
    let feature: GroupPreferences.Feature
    let setting: GroupPreferences.Setting

    /// Nil for an unknown feature, or a value that it does not have.
    init?(_ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let feature = GroupPreferences.Feature.shown.first(where: { $0.word == parts[0] })
        else {
            return nil
        }
        self.feature = feature
        let isTimed = feature == .timedMessages
        if parts[1] == "off" {
            setting = .init(false)
        } else if parts[1] == "on" {
            setting = .init(true, ttl: isTimed ? GroupPreferences.Feature.timedMessages.assumed.ttl : nil)
        } else if isTimed, case .seconds(let seconds)? = KeepingTime.kind().read(parts[1]) {
            setting = .init(true, ttl: seconds)
        } else if feature.hasRole, let role = MemberRole(rawValue: parts[1]) {
            setting = .init(true, role: role.role)
        } else {
            return nil
        }
    }

    var word: String {
        guard setting.isOn else { return "\(feature.word)=off" }
        if let seconds = setting.ttl { return "\(feature.word)=\(KeepingTime.seconds(seconds).text)" }
        return "\(feature.word)=\(setting.role?.rawValue ?? "on")"
    }
}

extension ValueKind where Value == FeatureChange {
    static func feature() -> ValueKind {
        ValueKind(
            ValueForm("NAME=VALUE", expected: "a feature and on, off or a role, such as files=off or links=admin"),
            read: { FeatureChange($0) }, write: { $0.word })
    }
}
