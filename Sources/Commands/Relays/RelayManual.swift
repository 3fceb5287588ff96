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
                The file relay.conf in the folder of the relay has one setting per line, NAME = VALUE. Lines that begin with # \
                are comments. A missing setting has its default. 'tacit relay init' writes all settings with comments.

                SIGHUP makes a running relay reload the file. Settings marked with (restart) take effect at the next start, \
                all others immediately. If the file is invalid, the relay logs the line and keeps its settings.

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
                    The SHA-256 of ca.crt as base64url, as in the address of the relay. 'tacit relay init' sets it. A relay \
                    with another certificate does not start.
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
                "files.db, files.db-wal, files.db-shm, files/",
                meaning: "File chunks, if the relay serves files: their list (SQLite) and their encrypted content."),
            .term(
                "relay.stats", meaning: "Counters, written once a minute and at the end, and kept across restarts."),
            .term(
                "relay.blocked",
                meaning: """
                    Blocked queues, links and file chunks, if there were any. A running relay reads changes within seconds.
                    """),
            .term("relay.lock", meaning: "Locked by the process that serves the folder."),
            .term("ca.crt, ca.key", meaning: "Identity certificate and its key. Store ca.key elsewhere."),
            .term("server.crt, server.key", meaning: "The online certificate and its key."),
        ]
    }

    private static var operation: [ManualPart] {
        [
            .heading("Signals"),
            .term(
                "SIGHUP", meaning: "Reload relay.conf and reopen the file of --log-file."),
            .term("SIGUSR1", meaning: "Log all counters since the start."),
            .term("SIGTERM, SIGINT", meaning: "Stop the relay cleanly. Killing it loses no accepted message."),
            .heading("Log"),
            .text(
                """
                The log goes to standard error, or to the file of --log-file. Each line has a level: error, warning or info. \
                In the systemd journal the level is the priority of the entry; elsewhere a line begins with the time in UTC \
                and the level. -q omits info, -qq omits warnings too.

                Client events are summed up: first 10 s after the first event, then at most once a minute. A line names the \
                five addresses with the most events. Only addresses that reach a limit or are blocked are logged, IPv6 as /64 \
                or /48; 'log_addresses = off' omits them.

                Level info: start, stop, changed settings, counters, failed handshakes, delayed connections, and regained disk \
                space or room. Level warning: a nearly full disk, a reached limit, limited or blocked addresses, and a jump of \
                the clock. Level error: a full disk that closed all connections, and an invalid relay.conf.
                """),
            .heading("Files of clients"),
            .text(
                """
                With 'xftp_port' the relay also stores files (XFTP). Clients encrypt a file, cut it into chunks of 64 KB to 4 MB, \
                and send its description in a message; the relay learns neither names nor contents. Recipients download the \
                chunks until they expire ('file_hours') or the sender deletes them. 'tacit relay address DIR' prints the \
                address for files in its second line. An existing relay serves files after 'xftp_port = PORT' in relay.conf and \
                a restart.

                Pages in browsers can send and receive files too if 'xftp_web_certificate' and 'xftp_web_key' are set. Their \
                connections name the host and get this certificate; apps do not name the host and get the certificate of the \
                relay. Restart the relay after the certificate was renewed.

                Ports below 1024 need privileges: the systemd unit grants them with AmbientCapabilities=CAP_NET_BIND_SERVICE.
                """),
            .heading("Names"),
            .text(
                """
                With 'resolver' the relay resolves registered names for its clients, also through proxies: @alice.simplex, #news. \
                The value is the path of a program with arguments, or the address of an HTTP service on this machine.

                A program gets the full name as its last argument: letters, digits, hyphens and dots. It prints a JSON object \
                such as {"simplexContact":["https://smp.example.com/a#..."],"simplexChannel":[]} and exits with 0. It prints \
                nothing for an unknown name. The first link of a list is the preferred one; clients use it only if the profile \
                behind it claims the name. There is no shell, and standard input is empty. The relay kills a program after 10 \
                seconds or 64 KB of output. Eight run at the same time. A record is kept for a minute, and a missing one for 10 \
                seconds. The relay never logs names.

                For example, with 'resolver = /usr/local/bin/names' in relay.conf, this script serves the records of a folder:

                    #!/bin/sh
                    file=/etc/names/$1.json
                    test ! -e "$file" || cat "$file"
                """),
            .heading("Monitoring"),
            .text(
                """
                'tacit relay status DIR --check' exits with 1 if the relay is stopped or silent, free disk space is below the \
                reserve, or a limit of the store is reached. It only reads files, so any user with read access to the folder \
                can run it.
                """),
        ]
    }

    private static var metrics: [ManualPart] {
        [
            .text(
                """
                With --metrics FILE the relay writes its metrics in the Prometheus text format every 15 s. The file is \
                replaced atomically, has mode 0644, and is removed when the relay stops cleanly. The textfile collector of the \
                node exporter reads files named *.prom. With the systemd unit, put this into a drop-in (systemctl edit \
                tacit-relay) and point the exporter to /run/tacit-relay:

                  [Service]
                  RuntimeDirectory=tacit-relay
                  RuntimeDirectoryMode=0755
                  ExecStart=
                  ExecStart=/usr/bin/tacit relay start %S/tacit-relay --no-input --metrics %t/tacit-relay/relay.prom

                Alert if the file is old (node_textfile_mtime_seconds), if tacit_relay_short_of_space or \
                tacit_relay_limit_reached is 1, or if tacit_relay_failed_turns_total grows.
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

                2. Replace the program: install the package, or copy the new file beside the old one and rename it with mv(1). \
                The running relay is not affected.

                3. Restart: 'systemctl restart tacit-relay'. The first start of a new version upgrades its databases before it \
                accepts connections. Clients reconnect automatically; messages stay.

                4. Check: 'tacit relay status DIR --check', and the version in the first line of the log. New settings have \
                their defaults until relay.conf sets them.

                To go back: stop the relay, install the old program and start it. If it reports an invalid relay.conf, comment \
                out the unknown settings. If it reports a newer database, move the folder away and unpack the backup of step 1 \
                into a new folder ('tar -xf FILE -C DIR'). Messages accepted after the backup are then lost, and messages \
                received after it are delivered again. Never run a relay and its backup at the same time.
                """),
        ]
    }
}
