import Host
/// A unit of systemd for a user.
package struct UnitFile: Hashable {
    package let name: String
    package let text: String

    /// The units that package and `make install` put in place, which a user may start.
    package static let packaged: [UnitFile] = {
        let place = ServicePlace(program: "/usr/bin/tacit", keyFile: nil)
        let credential = "LoadCredential=tacit.key:%h/.config/tacit/key"
        return [
            daemon(place, credential), api(place, credential, "127.0.0.1:5225"), fetch(place, credential),
            timer(NotifyMode(kind: .periodic, interval: NotifyMode.defaultInterval)),
        ]
    }()

    /// What a mode needs.
    static func units(for mode: NotifyMode, _ place: ServicePlace) -> [UnitFile] {
        let credential = place.keyFile.map { "LoadCredential=tacit.key:\(specified($0))" }
        switch mode.kind {
        case .instant:
            guard let address = mode.websocket else { return [daemon(place, credential)] }
            return [api(place, credential, address.description)]
        case .periodic: return [fetch(place, credential), timer(mode)]
        case .off: return []
        }
    }

    private static func daemon(_ place: ServicePlace, _ credential: String?) -> UnitFile {
        receiver(
            "tacit.service", unit("tacit private messenger", "tacit(1)"), place, credential,
            start: "daemon run --no-input", reload: "\(quoted(place.program)) daemon reload")
    }

    /// Serves bots in place of the daemon.
    private static func api(_ place: ServicePlace, _ credential: String?, _ address: String) -> UnitFile {
        receiver(
            "tacit-api.service",
            unit("tacit private messenger with the SimpleX API", "tacit-api(7)", conflicts: "tacit.service"), place,
            credential, start: "api --websocket \(quoted(address)) --no-input", reload: "/bin/kill -HUP $MAINPID")
    }

    /// A service that receives all the time.
    ///
    /// - Parameter start: The command of this program.
    private static func receiver(
        _ name: String, _ head: String, _ place: ServicePlace, _ credential: String?, start: String, reload: String
    ) -> UnitFile {
        UnitFile(
            name: name,
            text: head
                + section(
                    "Service",
                    ["Type=notify"] + environment(place) + [credential]
                        + [
                            "ExecStart=\(quoted(place.program)) \(start)", "ExecReload=\(reload)",
                            "Restart=on-failure", "RestartSec=10", "RestartPreventExitStatus=64 77 78 79", "UMask=0077",
                            "NoNewPrivileges=yes",
                        ]) + section("Install", ["WantedBy=default.target"], isLast: true))
    }

    private static func fetch(_ place: ServicePlace, _ credential: String?) -> UnitFile {
        UnitFile(
            name: "tacit-fetch.service",
            text: unit("tacit: receive and send messages", "tacit-fetch(1)")
                + section(
                    "Service",
                    ["Type=oneshot"] + environment(place) + [credential]
                        + [
                            "ExecStart=\(quoted(place.program)) fetch --if-free -qq --no-input --timeout 90s",
                            "SuccessExitStatus=75", "UMask=0077", "NoNewPrivileges=yes",
                        ], isLast: true))
    }

    private static func timer(_ mode: NotifyMode) -> UnitFile {
        UnitFile(
            name: "tacit-fetch.timer",
            text: unit("tacit: receive and send messages periodically", "tacit-notify-mode(1)")
                + section(
                    "Timer",
                    [
                        "OnBootSec=2min", "OnUnitInactiveSec=\(mode.interval.inWords)",
                        "RandomizedDelaySec=\(mode.jitter.inWords)",
                    ]) + section("Install", ["WantedBy=timers.target"], isLast: true))
    }

    // MARK: - Grammar

    private static func unit(_ description: String, _ page: String, conflicts: String? = nil) -> String {
        section(
            "Unit",
            ["Description=\(description)", "Documentation=man:\(page)", conflicts.map { "Conflicts=\($0)" }])
    }

    private static func section(_ name: String, _ lines: [String?], isLast: Bool = false) -> String {
        (["[\(name)]"] + lines.compactMap(\.self)).map { $0 + "\n" }.joined() + (isLast ? "" : "\n")
    }

    private static func environment(_ place: ServicePlace) -> [String?] {
        place.variables.map { "Environment=" + quoted("\($0.name)=\($0.value)", always: true) }
    }

    /// A text that systemd reads as it stands, except for specifiers: the source of a credential has no quotes (systemd 252 takes
    /// them for a part of the path).
    private static func specified(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "%" ? "%%" : String($1) }
    }

    /// A word as systemd reads it (systemd.syntax(7), systemd.unit(5)): a percent sign begins a specifier, a dollar sign a
    /// variable of a command line.
    private static func quoted(_ text: String, always: Bool = false) -> String {
        var word = ""
        for character in text {
            switch character {
            case "%": word += "%%"
            case "\\", "\"": word += "\\\(character)"
            default: word.append(character)
            }
        }
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:=@%".contains($0)) }
        return isPlain && !always ? word : "\"\(word)\""
    }
}
