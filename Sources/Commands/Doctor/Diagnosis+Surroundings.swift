import ByteCoding
import ChatCore
import CommandKit
import CryptoCore
import SystemIO
import TerminalKit

/// What does not need the store.
extension Diagnosis {
    static func configuration(_ invocation: Invocation) -> Diagnosis {
        let check = ConfigurationCheck(invocation)
        guard let mistake = check.harmful.first ?? check.mistakes.first else {
            let path = Configuration.userFile(invocation.environment)
            let isThere = path.map(Files.exists) ?? false
            return Diagnosis("config", .ok, isThere ? path ?? "" : "no configuration file")
        }
        return Diagnosis(
            "config", check.harmful.isEmpty ? .warning : .failure, "\(mistake.place): \(mistake.sentence)",
            tries: mistake.kind == .openToOthers
                ? [.init(words: ["chmod", "go-w", mistake.file])]
                : [.init("tacit config check", "list all errors"), .init("tacit config edit", "correct the file")])
    }

    /// The folders that there are, of which one may be all of them.
    static func folders(_ invocation: Invocation) -> [Diagnosis] {
        guard let directories = Directories(environment: invocation.environment) else {
            return [
                Diagnosis(
                    "folders", .failure,
                    "HOME is not an absolute path and the user database has no home folder, so the store cannot be located",
                    tries: [.init("TACIT_DIR=/some/folder tacit doctor", "use one folder for everything")])
            ]
        }
        var seen: Set<String> = []
        let paths = [directories.config, directories.data, directories.state].filter { seen.insert($0).inserted }
        let found = paths.compactMap { path in (try? Files.status(path)).map { (path, $0) } }
        let faults = found.compactMap { path, status -> Diagnosis? in
            if !status.isFolder { return Diagnosis("folders", .failure, "\(path) is not a folder") }
            if !status.isOwn { return Diagnosis("folders", .failure, "\(path) belongs to another user") }
            guard status.isOpenToOthers else { return nil }
            // What is in it is protected by itself; what is put there by others is not.
            return Diagnosis(
                "folders", status.isWritableByOthers ? .failure : .warning,
                "other users can \(status.isWritableByOthers ? "change" : "list") \(path)",
                tries: [.init(words: ["chmod", "700", path])])
        }
        guard faults.isEmpty else { return faults }
        return [Diagnosis("folders", .ok, found.isEmpty ? "none yet" : found.map(\.0).joined(separator: ", "))]
    }

    /// True if the clock shows a time before this version was made.
    static var isClockWrong: Bool {
        let made = ManualPage.Edition.current.date.split(separator: "-").compactMap { Int($0) }
        guard made.count == 3,
            let start = LocalTime.start(ofDay: made[2], month: made[1], year: made[0], utc: true)
        else { return false }
        let day: Int64 = 86_400_000
        return SystemClock.milliseconds() < start.subtractingSaturated(day)
    }

    /// Messages are put in order by time, and certificates are valid for a time.
    static func clock() -> Diagnosis {
        guard isClockWrong else {
            return Diagnosis("clock", .ok, LocalTime.text(milliseconds: SystemClock.milliseconds()) ?? "known")
        }
        return Diagnosis(
            "clock", .failure, "the clock is earlier than the release of this version",
            tries: [.init("timedatectl", "check time synchronisation")])
    }

    static func proxy(_ invocation: Invocation) -> Diagnosis {
        do {
            let settings = try NetworkVariables.settings(invocation).texts
            if invocation[GlobalOptions.offline] {
                return Diagnosis("proxy", .ok, "--offline allows no connection")
            }
            guard let proxy = settings[.proxy] else {
                guard settings[.requiresProxy] == "yes" else { return Diagnosis("proxy", .ok, "none") }
                return Diagnosis(
                    "proxy", .failure, "a proxy is required but not set, so no connection is possible",
                    tries: [.init("tacit config set net.proxy tor", "use the Tor client of this machine")])
            }
            let origin = NetworkVariables.origin(of: .proxy, invocation)
            return Diagnosis("proxy", .ok, "\(proxy), by \(origin.name)")
        } catch {
            return Diagnosis("proxy", failed: error)
        }
    }

    /// Keys should not come to the disk with the memory of the process.
    static func memory() -> Diagnosis {
        guard !LockedMemory.isLocked else { return Diagnosis("memory", .ok, "keys are never swapped to disk") }
        return Diagnosis(
            "memory", .warning, "keys may be swapped to disk: the limit for locked memory is too low",
            tries: [
                .init("ulimit -l 8192", "raise the limit to 8 MiB for commands of this shell"),
                .init("swapon --show", "check whether swap is in use"),
            ])
    }

    static func terminal(_ invocation: Invocation) -> Diagnosis {
        let terminal = Terminal(descriptor: 1), environment = invocation.environment
        guard terminal.isTerminal else { return Diagnosis("terminal", .ok, "standard output is not a terminal") }
        let kind = environment["TERM"] ?? ""
        guard !kind.isEmpty, kind != "dumb" else {
            return Diagnosis(
                "terminal", .warning, "TERM is dumb or not set", tries: [.init("export TERM=xterm-256color")])
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().split(separator: ".").dropFirst().first.map { $0.filter { $0 != "-" } }
        guard encoding == "utf8" else {
            return Diagnosis(
                "terminal", .warning, "the locale is not UTF-8, but all output is UTF-8",
                tries: [.init("export LC_ALL=C.UTF-8", "if the terminal supports UTF-8")])
        }
        return Diagnosis("terminal", .ok, terminal.columns.map { "\(kind), \($0) columns" } ?? kind)
    }

    /// Nothing, if the shell is none that can complete.
    static func completion(_ invocation: Invocation) -> Diagnosis? {
        let environment = invocation.environment
        guard let name = environment["SHELL"]?.split(separator: "/").last, let home = environment["HOME"],
            let shell = CompletionShell(rawValue: String(name))
        else { return nil }
        func folder(_ variable: String, _ fallback: String) -> String {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
        }
        let (own, shared) =
            switch shell {
            case .bash:
                (
                    "\(folder("XDG_DATA_HOME", ".local/share"))/bash-completion/completions/tacit",
                    "bash-completion/completions/tacit"
                )
            case .zsh: ("\(home)/.local/share/zsh/site-functions/_tacit", "zsh/site-functions/_tacit")
            case .fish:
                (
                    "\(folder("XDG_CONFIG_HOME", ".config"))/fish/completions/tacit.fish",
                    "fish/vendor_completions.d/tacit.fish"
                )
            }
        let places = [own] + ["/usr/local/share", "/usr/share"].map { "\($0)/\(shared)" }
        if let place = places.first(where: Files.exists) { return Diagnosis("completion", .ok, place) }
        let parent = own[..<(own.lastIndex(of: "/") ?? own.endIndex)]
        return Diagnosis(
            "completion", .warning, "completion for \(shell.rawValue) is not installed",
            tries: [
                .init(
                    "mkdir -p \(ShellWord.quoted(String(parent))) && tacit completion \(shell.rawValue) >\(ShellWord.quoted(own))",
                    shell == .zsh ? "if the folder is in $fpath" : nil)
            ])
    }
}
