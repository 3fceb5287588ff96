import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit notify-mode`
enum NotifyModeCommand {
    /// What starts tacit.
    enum Starter: String, CaseIterable, Sendable {
        case systemd, cron
    }

    static let mode = Positional<NotifyMode.Kind?>(
        optional: "MODE", "How messages are to arrive; without it, how they do is shown", .choice())
    static let every = Option<Duration?>(
        "every", "How often to fetch, for periodic", .duration(), defaultText: "10m", isCommon: true)
    static let install = Option<Starter?>(
        "install", "Write what starts it: units of the user, or lines of the user's crontab", .choice(),
        isCommon: true)
    static let uninstall = Option<Bool>(
        flag: "uninstall", "Remove what was installed, and nothing else", isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "Print what would be written, and do nothing", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "notify-mode", "Show or choose how new messages arrive",
            promise: "the mode is in the store, and what was to be installed is in place", store: .reading,
            positionals: [mode], options: [every, install, uninstall, dryRun],
            examples: [
                Example("tacit notify-mode", "How it is"),
                Example("tacit notify-mode periodic --every 10m --install systemd", "By a timer"),
                Example("tacit notify-mode periodic --install cron --dry-run", "See the line for cron"),
                Example("tacit notify-mode instant --install systemd", "By a daemon, at once"),
                Example("tacit notify-mode off", "Only by hand; removes what was installed"),
            ],
            exits: [64, 71, 73], reports: NotifyModeReport.forms,
            discussion: """
                instant is a daemon that keeps its sessions with the relays, periodic is a fetch from time to time, off is only \
                what you start yourself. The mode is a wish: something has to start tacit. --install prints first what it is \
                going to write: units of systemd in the folder of the user, ~/.config/systemd/user, or a marked block in the \
                crontab of the user. Whatever else is there stays as it is. off and --uninstall take away what was installed.

                What is written says where the store and its key file are, and how relays are reached, as it is now in the \
                environment. A passphrase is written nowhere: without a key file, or 'tacit unlock', a service cannot open an \
                encrypted store.

                Services of a user end when the user logs out, unless 'loginctl enable-linger' was said. cron has whole minutes \
                that divide an hour, and whole hours that divide a day.
                """),
        purpose: { $0[mode] == nil && $0[install] == nil ? "show the mode" : "set the mode" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        try check(invocation)
        let decided = try StoreAccess(invocation, isWriting: false).run { try await show($0) }
        let stored = decided ?? .off
        let wish = invocation[mode].map {
            NotifyMode(kind: $0, interval: invocation[every] ?? NotifyMode.defaultInterval)
        }
        let setup = try NotifySetup(invocation, wish ?? stored)
        let removes = invocation[uninstall] || wish?.kind == .off
        guard wish != nil || invocation[install] != nil || removes else {
            try invocation.print(NotifyModeReport(mode: stored, installed: try setup.installed()))
            return .ok
        }
        let plan = try invocation[install].map { try setup.plan($0) }
        if invocation[dryRun] {
            try invocation.print(NotifyModeReport(mode: setup.mode, installed: try setup.installed(), plan: plan))
            return .ok
        }
        // What is going to happen can be read before it happens.
        if let plan, invocation.format == .text { plan.lines.forEach(invocation.note) }
        try plan?.check()
        if let wish, wish != decided {
            try StoreAccess(invocation, isWriting: false).run { session in
                try await session.change([SetSessionValue(.notifyMode, wish.stored)])
            }
        }
        if removes || plan != nil { try setup.removeOthers(than: plan) }
        let isActive = try plan?.carryOut()
        if isActive == false { plan?.commands.forEach { invocation.note(StyledText("now type: \($0)")) } }
        try invocation.print(
            done: NotifyModeReport(mode: setup.mode, installed: try setup.installed(), plan: plan, isActive: isActive))
        if plan == nil, !removes, setup.mode.kind != .off, try setup.installed() == nil {
            invocation.note("nothing starts it yet; tacit notify-mode --install systemd, or cron")
        }
        return .ok
    }

    /// What was decided; nil if nobody has done so.
    private static func show(_ session: StoreSession) async throws -> NotifyMode? {
        try await session.execute(ShowSessionValue(.notifyMode)).value.flatMap { NotifyMode(stored: $0) }
    }

    private static func check(_ invocation: Invocation) throws(Failure) {
        if invocation[uninstall], invocation[install] != nil {
            throw Failure.exclusive("'--install'", "'--uninstall'")
        }
        if invocation[mode] == .off, invocation[install] != nil {
            throw Failure.installationOfOff
        }
        guard let interval = invocation[every] else { return }
        guard invocation[mode] == .periodic else { throw Failure.intervalWithoutPeriod }
        guard interval >= NotifyMode.shortestInterval, interval.components.attoseconds == 0 else {
            throw Failure.intervalTooShort
        }
    }
}
