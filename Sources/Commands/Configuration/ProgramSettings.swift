import ChatCore
import CommandKit
import Host

/// What configuration files can say besides defaults of options and aliases.
enum ProgramSettings {
    static let proxy = network(
        .proxy, "net.proxy", "SOCKS5 proxy for all connections; empty for none", "PROXY", fallback: "ALL_PROXY")
    static let requiresProxy = network(
        .requiresProxy, "net.require_proxy", "Refuse connections without a proxy", "yes|no")
    static let onion = network(.onion, "net.onion", "Use of relays' onion hosts", "WHEN")
    static let proxyMode = network(
        .proxyMode, "net.smp_proxy", "Use of private message routing through your own relay", "WHEN")
    static let proxyFallback = network(
        .proxyFallback, "net.smp_proxy_fallback", "Fallback to direct sending if private routing is impossible", "WHEN")
    static let keyFile = Setting<String?>(
        "key.file", "Key file of the store, unless an option or the environment names a key", absolutePath,
        variables: ["TACIT_KEY_FILE"])
    static let keyCommand = Setting<String?>(
        "key.command", "Shell command that prints the key, if key.file is not set", .text("COMMAND"),
        variables: ["TACIT_KEY_COMMAND"])
    static let confirmsUpgrades = Setting<Bool>(
        "db.confirm_upgrades", "Upgrade stores of older versions only with tacit db upgrade", default: false)
    static let isStrict = Setting<Bool>(
        "config.strict", "Treat unknown settings as errors; otherwise as warnings", default: true)

    static let showsIDs = Setting<Bool>(
        "read.ids", "Begin the text of each message that read, fetch and watch print with its id", default: false)
    static let bell = Setting<Bool>(
        "session.bell", "Ring the terminal bell for new messages and calls in a session", default: false)
    static let title = Setting<Bool>(
        "session.title", "Show the screen and the unread count of a session in the terminal title",
        default: false)

    static let browser = Setting<String?>(
        "session.browser", "Shell command to which /url in a session appends a link; without it, the link is copied",
        .text("COMMAND"))

    static let all: [any DeclaresSetting] =
        network.map(\.declared)
        + [keyFile, keyCommand, confirmsUpgrades, isStrict, showsIDs, bell, title, browser]
        + AcceptedFiles.settings

    /// The settings about connections, and what they are to the core.
    static let network: [(setting: NetworkSettings.Setting, declared: Setting<String?>)] = [
        (.proxy, proxy), (.requiresProxy, requiresProxy), (.onion, onion), (.proxyMode, proxyMode),
        (.proxyFallback, proxyFallback),
    ]

    private static func network(
        _ setting: NetworkSettings.Setting, _ key: String, _ abstract: String, _ metavariable: String,
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
            key, abstract, kind, defaultText: (try? NetworkSettings([:]))?.texts[setting],
            variables: [setting.variable],
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
