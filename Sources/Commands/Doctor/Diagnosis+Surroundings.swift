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
                : [.init("tacit config check", "all mistakes"), .init("tacit config edit", "mend them")])
    }

    /// The folders that there are, of which one may be all of them.
    static func folders(_ invocation: Invocation) -> [Diagnosis] {
        guard let directories = Directories(environment: invocation.environment) else {
            return [
                Diagnosis(
                    "folders", .failure,
                    "HOME is no absolute path and the user database has no home, so nothing tells where the store is",
                    tries: [.init("TACIT_DIR=/some/folder tacit doctor", "one folder for everything")])
            ]
        }
        var seen: Set<String> = []
        let paths = [directories.config, directories.data, directories.state].filter { seen.insert($0).inserted }
        let found = paths.compactMap { path in (try? Files.status(path)).map { (path, $0) } }
        let faults = found.compactMap { path, status -> Diagnosis? in
            if !status.isFolder { return Diagnosis("folders", .failure, "\(path) is no folder") }
            if !status.isOwn { return Diagnosis("folders", .failure, "\(path) belongs to somebody else") }
            guard status.isOpenToOthers else { return nil }
            // What is in it is protected by itself; what is put there by others is not.
            return Diagnosis(
                "folders", status.isWritableByOthers ? .failure : .warning,
                "others can \(status.isWritableByOthers ? "change" : "look into") \(path)",
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
            "clock", .failure, "it is before the day on which this version was made",
            tries: [.init("timedatectl", "see whether it is set by the network")])
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
                    "proxy", .failure, "one is required, and there is none, so nothing can be connected to",
                    tries: [.init("tacit config set net.proxy tor", "use the Tor of this machine")])
            }
            let origin = NetworkVariables.origin(of: .proxy, invocation)
            return Diagnosis("proxy", .ok, "\(proxy), by \(origin.name)")
        } catch {
            return Diagnosis("proxy", failed: error)
        }
    }

    /// Keys should not come to the disk with the memory of the process.
    static func memory() -> Diagnosis {
        guard !LockedMemory.isLocked else { return Diagnosis("memory", .ok, "keys are never swapped to the disk") }
        return Diagnosis(
            "memory", .warning, "keys may be swapped to the disk: the limit for locked memory is too low",
            tries: [
                .init("ulimit -l 8192", "8 MiB, for commands of this shell"),
                .init("swapon --show", "whether swap is used"),
            ])
    }

    static func terminal(_ invocation: Invocation) -> Diagnosis {
        let terminal = Terminal(descriptor: 1), environment = invocation.environment
        guard terminal.isTerminal else { return Diagnosis("terminal", .ok, "the output goes to none") }
        let kind = environment["TERM"] ?? ""
        guard !kind.isEmpty, kind != "dumb" else {
            return Diagnosis(
                "terminal", .warning, "TERM says that it can do nothing", tries: [.init("export TERM=xterm-256color")])
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().split(separator: ".").dropFirst().first.map { $0.filter { $0 != "-" } }
        guard encoding == "utf8" else {
            return Diagnosis(
                "terminal", .warning, "the locale does not say that it shows UTF-8, which is what is printed",
                tries: [.init("export LC_ALL=C.UTF-8", "if it does")])
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
            "completion", .warning, "\(shell.rawValue) does not complete the words of tacit",
            tries: [
                .init(
                    "mkdir -p \(ShellWord.quoted(String(parent))) && tacit completion \(shell.rawValue) >\(ShellWord.quoted(own))",
                    shell == .zsh ? "if the folder is in $fpath" : nil)
            ])
    }
}
