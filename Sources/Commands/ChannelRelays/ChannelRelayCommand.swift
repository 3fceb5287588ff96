import CommandKit

/// `tacit channel-relay`
enum ChannelRelayCommand {
    static let command = Command(
        noun: "channel-relay", "Run a chat relay, which passes on the messages of channels",
        verbs: leaves.map(\.command),
        discussion: """
            A chat relay passes the messages of a channel on to its subscribers. It is a folder: 'tacit channel-relay init' \
            creates it and 'tacit channel-relay start' serves it. Owners of channels name its address: tacit channel create \
            NAME --relay ADDRESS. Its settings are in channel-relay.conf. The manual page tacit-channel-relay(8) describes \
            settings, files, signals, log and metrics.
            """,
        manualSection: 8, manual: ChannelRelayManual.parts)

    static let leaves = [ChannelRelayInitCommand.leaf, ChannelRelayStartCommand.leaf, ChannelRelayStatusCommand.leaf]

    static let folder = Positional<String>("DIR", "Folder of the chat relay", .path("DIR", completing: .folder))
}

/// What operators of a chat relay look up.
enum ChannelRelayManual {
    static var parts: [ManualPart] { settings + files + operation + metrics }

    private static var settings: [ManualPart] {
        [
            .heading("Settings"),
            .text(
                """
                The file channel-relay.conf in the folder of the chat relay has one setting per line, NAME = VALUE. Lines that \
                begin with # are comments. A missing setting has its default. 'tacit channel-relay init' writes all settings \
                with comments. SIGHUP makes a running chat relay read the file again. If the file is invalid, the chat relay \
                logs the line and keeps its settings.
                """),
        ]
            + ChannelRelaySetting.all.map { setting in
                let notes = ["Values: \(setting.values).", setting.defaultText.map { "[default: \($0)]" }]
                return .term(
                    setting.name, "", meaning: ([setting.meaning] + notes.compactMap(\.self)).joined(separator: " "))
            }
            + [
                .subheading("Access"),
                .text(
                    """
                    An address has no password. Anyone with the address can ask the relay to serve a channel. Give it to \
                    owners only, or set new_channels to listed.
                    """),
            ]
    }

    private static var files: [ManualPart] {
        [
            .heading("Files"),
            .text("In the folder of the chat relay, all readable by its owner only:"),
            .term("channel-relay.conf", meaning: "Settings."),
            .term(
                "simplex_v1_chat.db, simplex_v1_agent.db",
                meaning: """
                    The store of the chat relay: channels, members, connections, and messages that wait. All commands of tacit \
                    work on it with TACIT_DIR=DIR, such as 'tacit channel list'.
                    """),
            .term("key", meaning: "The key of the store, unless it is elsewhere ('tacit help keys'). Keep a copy."),
            .term("lock", meaning: "Locked by the process that serves the folder."),
            .term("relay.conf and others", meaning: "Files of a message relay in the same folder: see tacit-relay(8)."),
        ]
    }

    private static var operation: [ManualPart] {
        [
            .heading("Message relay in the same folder"),
            .text(
                """
                If the folder has a message relay too ('tacit relay init DIR'), 'tacit channel-relay start' serves it in the \
                same process, unless another process does. 'tacit channel-relay init' uses it as the relay of the chat \
                relay if --server is missing. One service file is enough for both: tacit-channel-relay.service.
                """),
            .heading("Signals"),
            .term(
                "SIGHUP", meaning: "Read channel-relay.conf and relay.conf again, and reopen the file of --log-file."),
            .term("SIGUSR1", meaning: "Log all counters since the start."),
            .term(
                "SIGTERM, SIGINT",
                meaning:
                    "Stop the chat relay cleanly. Killing it loses no accepted message, and no message comes twice."),
            .heading("Log"),
            .text(
                """
                The log goes to standard error, or to the file of --log-file, as that of tacit-relay(8). It names channels by \
                their numbers in the store, and neither owners nor subscribers. Refused requests are summed up once a minute.
                """),
            .heading("Monitoring"),
            .text(
                """
                'tacit channel-relay status DIR --check' exits with 1 if the chat relay is stopped or has no address yet. It only \
                reads files. Waiting messages are no problem: a recipient may be offline for long.
                """),
        ]
    }

    private static var metrics: [ManualPart] {
        [
            .text(
                """
                With --metrics FILE the chat relay writes its metrics in the Prometheus text format every 15 s. The file is \
                replaced atomically, has mode 0644, and is removed when the chat relay stops cleanly. With --relay-metrics \
                FILE the message relay in the same folder writes its own.
                """),
            .subheading("Metrics"),
        ]
            + ChannelRelayMetrics.all.map {
                .term($0.name, $0.isCounter ? "(counter)" : "(gauge)", meaning: "\($0.meaning).")
            }
    }
}
