import SystemIO
import TerminalKit

/// The units of this program that a user has installed.
struct UserUnits {
    /// Where systemd looks for the units that a user writes.
    let folder: String
    private let invocation: Invocation

    /// The first line of units that may be replaced and removed again.
    static let mark = "# Written by tacit notify-mode, which replaces and removes it.\n"
    private static let names = ["tacit.service", "tacit-api.service", "tacit-fetch.service", "tacit-fetch.timer"]
    /// Those that are started, the others belong to them.
    private static let started = ["tacit.service", "tacit-api.service", "tacit-fetch.timer"]

    init(_ invocation: Invocation) throws {
        let environment = invocation.environment
        let config = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let base = config ?? environment["HOME"].map({ "\($0)/.config" }), base.hasPrefix("/") else {
            throw Reason.noHomeForUnits
        }
        folder = "\(base)/systemd/user"
        self.invocation = invocation
    }

    func path(of name: String) -> String { "\(folder)/\(name)" }

    /// The names of those that this program has written.
    var installed: [String] { UserUnits.names.filter(isOwn) }

    private func isOwn(_ name: String) -> Bool {
        (try? Files.read(path(of: name), limit: 1 << 16)).map { $0.starts(with: Array(UserUnits.mark.utf8)) } ?? false
    }

    /// What has to be typed when units came or went.
    static func commands(starting names: [String]) -> [[String]] {
        [["--user", "daemon-reload"]]
            + names.filter(started.contains).map { ["--user", "enable", "--now", $0] }
    }

    /// Throws if a unit is in the way that tacit did not write, or if the service manager of the user does not answer.
    func check(_ units: [UnitFile]) throws {
        for unit in units where Files.exists(path(of: unit.name)) && !isOwn(unit.name) {
            throw Reason.foreignUnit(unit.name, at: path(of: unit.name))
        }
        do { try SystemTool("systemctl", invocation)?.run(["--user", "show-environment"]) } catch let reason as Reason {
            throw Reason.noUserManager(reason.why)
        }
    }

    /// Writes units that ``check(_:)`` has allowed, and starts them. After an error the former units are there.
    ///
    /// - Returns: Whether they were started; there may be no service manager.
    func install(_ units: [UnitFile]) throws -> Bool {
        try Files.createFolder(folder)
        let former = units.map { unit in
            (unit: unit, text: isOwn(unit.name) ? try? Files.read(path(of: unit.name), limit: 1 << 16) : nil)
        }
        let tool = SystemTool("systemctl", invocation)
        do {
            for unit in units {
                try Files.replace(path(of: unit.name), Array((UserUnits.mark + unit.text).utf8), durably: false)
            }
            guard let tool else { return false }
            for words in UserUnits.commands(starting: units.map(\.name)) { try tool.run(words) }
            return true
        } catch {
            restore(former, tool)
            throw error
        }
    }

    /// Takes an installation back. The error that led here is reported, not those of this attempt.
    private func restore(_ former: [(unit: UnitFile, text: [UInt8]?)], _ tool: SystemTool?) {
        for (unit, text) in former {
            if let text {
                try? Files.replace(path(of: unit.name), text, durably: false)
            } else {
                if UserUnits.started.contains(unit.name) { try? tool?.run(["--user", "disable", "--now", unit.name]) }
                try? Files.remove(path(of: unit.name))
            }
        }
        try? tool?.run(["--user", "daemon-reload"])
    }

    /// Stops what this program has installed, and removes it. Files are removed even where nothing can be stopped.
    func remove(_ names: [String]) throws {
        guard !names.isEmpty else { return }
        let tool = SystemTool("systemctl", invocation)
        for name in names where UserUnits.started.contains(name) {
            do { try tool?.run(["--user", "disable", "--now", name]) } catch let reason as Reason {
                invocation.warn("\(name) could not be stopped: \(reason.text)")
            }
        }
        for name in names { try Files.remove(path(of: name)) }
        do { try tool?.run(["--user", "daemon-reload"]) } catch is Reason {}
    }
}
