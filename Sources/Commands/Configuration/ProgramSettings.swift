import ChatCore
import CommandKit

/// What configuration files can say besides defaults of options and aliases.
enum ProgramSettings {
    static let proxy = network(
        .proxy, "net.proxy", "The SOCKS5 proxy that connections go through; empty for none", "PROXY",
        variable: "TACIT_PROXY", fallback: "ALL_PROXY")
    static let requiresProxy = network(
        .requiresProxy, "net.require_proxy", "Whether nothing is connected to without a proxy", "yes|no",
        variable: "TACIT_REQUIRE_PROXY")
    static let onion = network(
        .onion, "net.onion", "Whether onion hosts of relays are used", "WHEN", variable: "TACIT_ONION")
    static let proxyMode = network(
        .proxyMode, "net.smp_proxy", "When messages go through a relay of your own to those of others", "WHEN",
        variable: "TACIT_SMP_PROXY")
    static let proxyFallback = network(
        .proxyFallback, "net.smp_proxy_fallback", "Whether they go directly where that is not possible", "WHEN",
        variable: "TACIT_SMP_PROXY_FALLBACK")
    static let keyFile = Setting<String?>(
        "key.file", "The file that holds the key of the store, unless something stronger names one", absolutePath,
        variables: ["TACIT_KEY_FILE"])
    static let keyCommand = Setting<String?>(
        "key.command", "A line of the shell that prints the key, where key.file is not set", .text("COMMAND"),
        variables: ["TACIT_KEY_COMMAND"])
    static let confirmsUpgrades = Setting<Bool>(
        "db.confirm_upgrades", "Whether stores of older versions are upgraded by tacit db upgrade only", default: false)
    static let isStrict = Setting<Bool>(
        "config.strict", "Whether a setting that is not known is an error; otherwise it is a warning", default: true)

    static let bell = Setting<Bool>(
        "session.bell", "Whether a session rings the terminal bell for new messages and calls", default: false)
    static let title = Setting<Bool>(
        "session.title", "Whether a session shows its screen and the number of unread messages in the terminal title",
        default: false)

    static let all: [any DeclaresSetting] =
        network.map(\.declared) + [keyFile, keyCommand, confirmsUpgrades, isStrict, bell, title]

    /// The settings about connections, and what they are to the core.
    static let network: [(setting: NetworkSettings.Setting, declared: Setting<String?>)] = [
        (.proxy, proxy), (.requiresProxy, requiresProxy), (.onion, onion), (.proxyMode, proxyMode),
        (.proxyFallback, proxyFallback),
    ]

    private static func network(
        _ setting: NetworkSettings.Setting, _ key: String, _ abstract: String, _ metavariable: String, variable: String,
        fallback: String? = nil
    ) -> Setting<String?> {
        let isProxy = setting == .proxy
        let kind = ValueKind<String>(
            ValueForm(metavariable, expected: setting.form, choices: setting.words),
            read: { text in
                guard !text.isEmpty else { return isProxy ? text : nil }
                return (try? NetworkSettings([setting: text])) == nil ? nil : text
            }, write: { $0 })
        return Setting(
            key, abstract, kind, defaultText: (try? NetworkSettings([:]))?.texts[setting], variables: [variable],
            fallbackVariable: fallback,
            // SECURITY: the address of a proxy may hold a password.
            isSecret: isProxy,
            shown: { (try? NetworkSettings([setting: $0]).texts[setting]) ?? (isProxy && !$0.isEmpty ? "***" : $0) })
    }

    /// A path that means the same wherever a command is typed: nothing is read from the working directory.
    private static let absolutePath = ValueKind<String>(
        ValueForm("FILE", expected: "a path that begins with / or ~/", completing: .file),
        read: { $0.hasPrefix("/") || $0.hasPrefix("~/") ? $0 : nil }, write: { $0 })
}
