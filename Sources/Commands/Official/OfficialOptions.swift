import ChatCore
import CommandKit
import Host
import SMPProtocol
import TerminalKit

/// The options of the official program `simplex-chat` (version 7.0), and their use here.
enum OfficialOptions {
    // MARK: - Options with an effect

    static let database = Option<String?>(
        "database", letter: "d", "Use the store in the folder PREFIX.tacit", .path("PREFIX"),
        defaultText: "~/.simplex/simplex_v1, or TACIT_DIR", isCommon: true
    ).withoutSetting
    static let key = Option<String?>(
        "key", letter: "k", "Passphrase of the store; other users can read it: prefer a key file", .text("KEY"),
        defaultText: "the key of 'tacit help keys', or a new key file in the store's folder"
    ).withoutSetting
    static let servers = Option<[AnyRelay]?>(
        "server", letter: "s", "Relays for messages of a new profile, separated by spaces", .relays(of: .smp),
        defaultText: "the public relays", isCommon: true
    ).withoutSetting
    static let fileServers = Option<[AnyRelay]?>(
        "xftp-server", "Relays for files of a new profile, separated by spaces", .relays(of: .xftp),
        defaultText: "the public relays"
    ).withoutSetting
    static let socksProxy = Option<String?>(
        "socks-proxy", "SOCKS5 proxy for all connections; -x alone means :9050", .proxy, defaultText: "none"
    ).withoutSetting
    static let hostMode = Option<HostMode?>(
        "host-mode", "Hosts of relays to prefer", .choice(), defaultText: "the setting net.onion"
    ).withoutSetting
    static let requiresHostMode = Option(flag: "required-host-mode", "Use only the hosts of --host-mode")
        .withoutSetting
    static let proxyMode = Option<String?>(
        "smp-proxy", "Use of private message routing", .network(.proxyMode), defaultText: "the setting net.smp_proxy"
    ).withoutSetting
    static let proxyFallback = Option<String?>(
        "smp-proxy-fallback", "Direct sending if private message routing is impossible", .network(.proxyFallback),
        defaultText: "the setting net.smp_proxy_fallback"
    ).withoutSetting
    static let logLevel = Option<LogLevel>(
        "log-level", letter: "l", "Log to standard error: info as tacit -v, debug as tacit -vv", .choice(),
        default: .important
    ).withoutSetting
    static let logsConnections = Option(flag: "connections", letter: "c", "The same as -l info").withoutSetting
    static let logsHosts = Option(flag: "log-hosts", "The same as -l info").withoutSetting
    static let logsErrors = Option(flag: "log-tls-errors", "The same as -l info").withoutSetting
    static let logsAgent = Option(flag: "log-agent", "The same as -l debug").withoutSetting
    static let logFile = Option<String?>("log-file", "Append the log to this file", .path(), defaultText: "none")
        .withoutSetting
    static let isMaintenance = Option(
        flag: "maintenance", letter: "m", "Receive and send nothing until /_start"
    ).withoutSetting
    static let command = Option<String?>(
        "execute", letter: "e", "Run one command, print its answer and exit", .text("COMMAND"), isCommon: true
    ).withoutSetting
    static let time = Option<Int>(
        "time", letter: "t", "Seconds to stay after the answer to -e", .count("SECONDS", in: 0...86_400), default: 3,
        isCommon: true
    ).withoutSetting
    static let printedEvents = Option<PrintedEvents>(
        "execute-log", "Events to print with -e", .choice(), default: .none
    ).withoutSetting
    static let port = Option<ListenAddress?>(
        "chat-server-port", letter: "p", "Serve bots over WebSocket at this port of this machine",
        ListenAddress.kind, isCommon: true
    ).withoutSetting
    static let filesFolder = Option<String?>("files-folder", "Folder for sent and received files", .path("FOLDER"))
        .withoutSetting
    static let temporaryFolder = Option<String?>("temp-folder", "Folder for files in transfer", .path("FOLDER"))
        .withoutSetting
    static let acceptedFileSize = Option<Int>(
        "auto-accept-files", "Largest file to receive without asking; -a alone means 1 MB", .count("BYTES"), default: 0
    ).withoutSetting
    static let botName = Option<String?>(
        "create-bot-display-name", "Name of the bot profile to create in a new store", .text("NAME"), isCommon: true
    ).withoutSetting
    static let botAllowsFiles = Option(
        flag: "create-bot-allow-files", "Allow files in the new bot profile", isCommon: true
    ).withoutSetting
    static let userName = Option<String?>(
        "user-display-name", "Name of the profile to create in a new store", .text("NAME"),
        defaultText: "a line of standard input", isCommon: true
    ).withoutSetting
    static let version = Option(flag: "version", letter: "v", "Print the version").withoutSetting

    private static let effective: [any DeclaresOption] = [
        database, key, servers, fileServers, socksProxy, hostMode, requiresHostMode, proxyMode, proxyFallback,
        logLevel, logsConnections, logsHosts, logsErrors, logsAgent, logFile, isMaintenance, command, time,
        printedEvents, port, filesFolder, temporaryFolder, acceptedFileSize, botName, botAllowsFiles, userName,
        version,
    ]

    // MARK: - Options without an effect

    /// Options with the reason why they change nothing, or are refused.
    struct Group: Sendable {
        /// The reason, a sentence.
        let reason: String
        let options: [any DeclaresOption]
    }

    /// The options that are accepted and change nothing.
    static let ignored: [Group] = [
        Group(
            reason: "tacit upgrades a store automatically, in one transaction:",
            options: [
                Option(flag: "yes-migrate", letter: "y", "No effect: upgrades need no confirmation").withoutSetting,
                Option(flag: "disable-backup", "No effect").withoutSetting,
                Option<String?>("backup-directory", "No effect", .path("FOLDER")).withoutSetting,
                Option(flag: "disable-vacuum", "No effect").withoutSetting,
            ]),
        Group(
            reason: "They change the display of the official terminal:",
            options: [
                Option(flag: "mute", "No effect").withoutSetting,
                Option(flag: "mark-read", letter: "r", "No effect").withoutSetting,
                Option(flag: "reactions", "No effect").withoutSetting,
            ]),
        Group(
            reason: "tacit sets times and sizes of connections, and uses a proxy for all of them:",
            options: [
                Option<Int?>("tcp-timeout", "No effect", .count("SECONDS")).withoutSetting,
                Option<Int?>("queue-size", letter: "q", "No effect", .count("SIZE")).withoutSetting,
                Option<SOCKSMode?>("socks-mode", "No effect: a proxy carries all connections", .choice())
                    .withoutSetting,
                Option(flag: "ha", "No effect").withoutSetting,
                Option(flag: "create-bot-client-service", "No effect").withoutSetting,
            ]),
        Group(
            reason: "Small files in messages are received as other files:",
            options: [Option(flag: "allow-instant-files", letter: "f", "No effect").withoutSetting]),
        Group(
            reason: "tacit has no remote control:",
            options: [Option<String?>("device-name", "No effect", .text("NAME")).withoutSetting]),
    ]

    /// The options that are refused.
    static let refused: [Group] = [
        Group(
            reason: "tacit cannot serve channels",
            options: [
                Option(flag: "relay", "Refused").withoutSetting,
                Option<String?>("relay-web-domain", "Refused", .text("DOMAIN")).withoutSetting,
                Option<String?>("relay-web-dir", "Refused", .text("FOLDER")).withoutSetting,
                Option<String?>("relay-web-cors-file", "Refused", .text("FILE")).withoutSetting,
                Option<String?>("relay-web-interval", "Refused", .text("SECONDS")).withoutSetting,
                Option<String?>("relay-web-item-count", "Refused", .text("COUNT")).withoutSetting,
            ]),
        Group(
            reason: "the address of a relay names its port",
            options: [
                Option(flag: "smp-web-port", "Refused").withoutSetting,
                Option<String?>("smp-web-port-servers", "Refused", .text("WHICH")).withoutSetting,
            ]),
    ]

    /// The long words of letters that have no long option.
    static let letters: [Character: String] = ["x": "--socks-proxy=:9050", "a": "--auto-accept-files=1048576"]

    fileprivate static let all: [any DeclaresOption] =
        effective + ignored.flatMap(\.options) + refused.flatMap(\.options)

    // MARK: - Values

    enum HostMode: String, CaseIterable, Sendable {
        case onion
        case open = "public"
    }

    enum SOCKSMode: String, CaseIterable, Sendable {
        case always, onion
    }

    enum LogLevel: String, CaseIterable, Sendable {
        case debug, info, warn, error, important
    }

    enum PrintedEvents: String, CaseIterable, Sendable {
        case all, messages, none
    }
}

extension CommandTree {
    /// The command line of the official program.
    static let official = CommandTree(
        program: "simplex-chat", "Start tacit with the options of SimpleX Chat", options: OfficialOptions.all,
        sections: [], exits: ExitCode.allCases.map { ExitMeaning($0.rawValue, $0.meaning) },
        discussion: """
            simplex-chat is a link to tacit for bots and scripts that start the official program. See tacit help bots, or \
            tacit-api(7).
            """)
}

extension ValueKind where Value == String {
    /// A word for a setting of connections.
    fileprivate static func network(_ setting: NetworkSettings.Setting) -> ValueKind {
        ValueKind(
            ValueForm(setting.words.joined(separator: "|"), expected: setting.form, choices: setting.words),
            read: { setting.words.contains($0) ? $0 : nil }, write: { $0 })
    }

    /// A proxy as the official program takes it (`:9050`, `127.0.0.1:9050`, `user:password@host:9050`), read as a URL.
    fileprivate static var proxy: ValueKind {
        ValueKind(
            ValueForm("PROXY", expected: "[USER:PASSWORD@][HOST]:PORT", isSecret: true),
            read: { text in
                let (login, place) =
                    text.lastIndex(of: "@").map { at in
                        (text[...at], text[text.index(after: at)...])
                    } ?? ("", text[...])
                let host = place.hasPrefix(":") ? "127.0.0.1" : ""
                let url = "socks5h://\(login)\(host)\(place)"
                return (try? NetworkSettings([.proxy: url])) == nil ? nil : url
            }, write: { $0 })
    }
}

extension ValueKind where Value == [AnyRelay] {
    /// The addresses of relays of one kind, separated by white space.
    fileprivate static func relays(of scheme: ServerScheme) -> ValueKind {
        let relays = ValueKind<[AnyRelay]>.relays()
        return ValueKind(
            ValueForm("ADDRESSES", expected: "\(scheme.rawValue)://FINGERPRINT@HOST[:PORT]", completing: .server),
            read: { text in relays.read(text).flatMap { $0.allSatisfy { $0.scheme == scheme } ? $0 : nil } },
            write: relays.write)
    }
}
