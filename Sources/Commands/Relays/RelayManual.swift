import CommandKit
import Relay

/// What operators of a relay look up: settings, files, signals, log, metrics, upgrades.
enum RelayManual {
    static var parts: [ManualPart] { settings + files + operation + metrics + upgrade }

    private static var settings: [ManualPart] {
        let introduction: [ManualPart] = [
            .heading("Settings"),
            .text(
                """
                The file relay.conf in the folder of the relay holds one setting a line, NAME = VALUE. A line that begins with # is a \
                comment. A setting without a line has its default. 'tacit relay init' writes all settings with comments.

                SIGHUP has a running relay read the file again. Settings marked with (restart) take effect at the next start, all \
                others at once. If the file is not valid, the relay logs the line and keeps the settings it has.

                MB are 1024 * 1024 bytes. An address range is an IPv4 /24 or an IPv6 /48.
                """),
        ]
        let groups = RelaySetting.groups.flatMap { group -> [ManualPart] in
            [.subheading(group.title)]
                + group.settings.map { setting in
                    let notes = ["Values: \(setting.values).", setting.defaultText.map { "[default: \($0)]" }]
                    return .term(
                        setting.name, setting.isReloaded ? "" : "(restart)",
                        meaning: ([setting.meaning] + notes.compactMap(\.self)).joined(separator: " "))
                }
        }
        let fingerprint: [ManualPart] = [
            .subheading("Identity"),
            .term(
                "fingerprint",
                meaning: """
                    The SHA-256 of ca.crt as base64url, which the address of the relay holds. 'tacit relay init' sets it. A relay with \
                    another certificate does not start.
                    """),
        ]
        return introduction + groups + fingerprint
    }

    private static var files: [ManualPart] {
        [
            .heading("Files"),
            .text("In the folder of the relay, all readable by its owner only:"),
            .term("relay.conf", meaning: "Settings."),
            .term("relay.db, relay.db-wal, relay.db-shm", meaning: "Queues and waiting messages (SQLite)."),
            .term(
                "relay.stats", meaning: "Counters, written once a minute and at the end. They go on at the next start."),
            .term("relay.lock", meaning: "Locked by the process that serves the folder."),
            .term("ca.crt, ca.key", meaning: "Certificate and key of the identity. Keep ca.key elsewhere."),
            .term("server.crt, server.key", meaning: "The online certificate and its key."),
        ]
    }

    private static var operation: [ManualPart] {
        [
            .heading("Signals"),
            .term(
                "SIGHUP", meaning: "Read relay.conf again, and open the file of --log-file again. The relay goes on."),
            .term("SIGUSR1", meaning: "Log all counters since the start. The relay goes on."),
            .term("SIGTERM, SIGINT", meaning: "End the relay in order. Killing it loses nothing that was accepted."),
            .heading("Log"),
            .text(
                """
                The log goes to standard error, or to the file of --log-file. Lines have a level: error, warning or info. In the journal \
                of systemd the level is the priority of the entry; elsewhere a line begins with the time in UTC and the level. -q leaves \
                out info, -qq warnings too.

                Events of clients are summed: the first 10 s after the first event, then at most once a minute. A line names the five \
                addresses with the most events. Only addresses that reach a limit or are blocked are logged, IPv6 as /64 or /48; \
                'log_addresses = off' leaves them out.

                Start, stop, changed settings, counters, failed handshakes, connections that are slowed down, and space or room that is \
                there again are info. A nearly full disk, a limit that is reached, limited or blocked addresses, and a clock that has \
                jumped are warnings. A full disk that closed all connections and a relay.conf that is not valid are errors.
                """),
            .heading("Monitoring"),
            .text(
                """
                'tacit relay status DIR --check' ends with 1 if the relay is stopped or silent, the disk is below the reserve, or a \
                limit of the store is reached. It reads files only and can run as any user that can read the folder.
                """),
        ]
    }

    private static var metrics: [ManualPart] {
        [
            .text(
                """
                With --metrics FILE the relay writes its numbers in the text format of Prometheus, every 15 s. The file is replaced in \
                one step, has mode 0644, and is removed when the relay ends in order. The textfile collector of the node exporter reads \
                files named *.prom. With the unit of systemd, put this into a drop-in (systemctl edit tacit-relay) and point the \
                exporter to /run/tacit-relay:

                  [Service]
                  RuntimeDirectory=tacit-relay
                  RuntimeDirectoryMode=0755
                  ExecStart=
                  ExecStart=/usr/bin/tacit relay start %S/tacit-relay --no-input --metrics %t/tacit-relay/relay.prom

                Alert if the file is old (node_textfile_mtime_seconds), if tacit_relay_short_of_space or tacit_relay_limit_reached is \
                1, or if tacit_relay_failed_turns_total grows.
                """),
            .subheading("Metrics"),
        ]
            + RelayMetrics.all.map {
                .term($0.name, $0.isCounter ? "(counter)" : "(gauge)", meaning: "\($0.meaning).")
            }
    }

    private static var upgrade: [ManualPart] {
        [
            .heading("Upgrade"),
            .text(
                """
                1. Back up: 'tacit relay backup DIR FILE' while the relay runs. Keep the old program.

                2. Replace the program, by the package, or copy the new file beside the old one and move it over with mv(1). The running \
                relay is not affected.

                3. Restart: 'systemctl restart tacit-relay'. The first start of a new version brings relay.db to its form, before it \
                accepts connections. Clients connect again by themselves; messages stay.

                4. Check: 'tacit relay status DIR --check', and the version in the first line of the log. New settings have their \
                defaults until relay.conf has lines for them.

                To go back: stop the relay, install the old program and start it. If it says that relay.conf is not valid, comment \
                out the settings that it does not know. If it says that the database is from a newer version, move the folder away and \
                unpack the backup of step 1 into a new one ('tar -xf FILE -C DIR'). Messages that were accepted after the backup are lost \
                then, and messages that were received after it are delivered once more. Never run a relay and its backup at the same \
                time.
                """),
        ]
    }
}
