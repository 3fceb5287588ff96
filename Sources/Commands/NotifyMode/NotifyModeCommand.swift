import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// `tacit notify-mode`
enum NotifyModeCommand {
    /// What starts tacit.
    enum Starter: String, CaseIterable, Sendable {
        case systemd, cron
    }

    static let mode = Positional<NotifyMode.Kind?>(
        optional: "MODE", "New mode; without it, the current mode is shown", .choice())
    static let every = Option<Duration?>(
        "every", "Interval between fetches, for periodic", .duration(), defaultText: "10m", isCommon: true)
    static let websocket = Option<ListenAddress?>(
        "websocket", "Serve bots at this port while receiving, for instant", ListenAddress.kind, isCommon: true)
    static let install = Option<Starter?>(
        "install", "Install systemd user units, or a line in the user's crontab", .choice(),
        isCommon: true)
    static let uninstall = Option<Bool>(
        flag: "uninstall", "Remove installed units or crontab lines", isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "Print the changes without making them", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "notify-mode", "Set how new messages are received",
            promise: "the mode is in the store, and the requested units or lines are installed", store: .reading,
            positionals: [mode], options: [every, websocket, install, uninstall, dryRun],
            examples: [
                Example("tacit notify-mode", "Show the current mode"),
                Example(
                    "tacit notify-mode periodic --every 10m --install systemd",
                    "Fetch every 10 minutes with a systemd timer"),
                Example(
                    "tacit notify-mode periodic --install cron --dry-run", "Show the crontab line without installing it"
                ),
                Example("tacit notify-mode instant --install systemd", "Receive immediately with a systemd service"),
                Example(
                    "tacit notify-mode instant --websocket 5225 --install systemd",
                    "Receive immediately, and serve bots"),
                Example("tacit notify-mode off", "Receive only on request; remove units and crontab lines"),
            ],
            exits: [64, 69, 71, 73], reports: NotifyModeReport.forms,
            discussion: """
                In mode instant, a daemon stays connected to the relays; with --websocket, the server of tacit api does. In mode \
                periodic, a timer runs fetch. In mode off, only your own commands receive messages.

                The mode alone starts nothing: --install sets up systemd or cron. It prints its changes first: systemd user \
                units in ~/.config/systemd/user, or a marked block in the user's crontab. Other units and lines stay \
                unchanged. off and --uninstall remove these units and lines.

                The units and lines hold the current paths of the store and its key file, and the network settings of the \
                environment. They never hold a passphrase: without a key file or 'tacit unlock', a service cannot open an \
                encrypted store.

                User services end at logout unless 'loginctl enable-linger' was run; without a login session, as with su or in \
                a container, there is no service manager, and the exit code is 69. After an error the former mode and units \
                stay. cron supports whole minutes that divide \
                an hour, and whole hours that divide a day.
                """),
        purpose: { $0[mode] == nil && $0[install] == nil ? "show the mode" : "set the mode" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        try check(invocation)
        let decided = try StoreOpener(invocation, isWriting: false).run { try await show($0) }
        let stored = decided ?? .off
        let requested = invocation[mode].map {
            NotifyMode(
                kind: $0, interval: invocation[every] ?? NotifyMode.defaultInterval, websocket: invocation[websocket])
        }
        let setup = try NotifySetup(invocation, requested ?? stored)
        let removes = invocation[uninstall] || requested?.kind == .off
        guard requested != nil || invocation[install] != nil || removes else {
            try invocation.print(NotifyModeReport(mode: stored, installed: try setup.installed()))
            return .ok
        }
        let plan = try invocation[install].map { try setup.plan($0) }
        if invocation[dryRun] {
            try invocation.print(NotifyModeReport(mode: setup.mode, installed: try setup.installed(), plan: plan))
            return .ok
        }
        try plan?.check()
        // What is going to happen can be read before it happens.
        if let plan, invocation.format == .text { plan.lines.forEach(invocation.note) }
        let changes = requested != nil && requested != decided
        if changes { try store(requested, invocation) }
        let isActive: Bool?
        do {
            isActive = try plan?.carryOut()
            if removes || plan != nil { try setup.removeOthers(than: plan) }
        } catch {
            // The mode says what is installed.
            if changes { try? store(decided, invocation) }
            throw error
        }
        if isActive == false { plan?.commands.forEach { invocation.note(StyledText("now run: \($0)")) } }
        try invocation.print(
            done: NotifyModeReport(mode: setup.mode, installed: try setup.installed(), plan: plan, isActive: isActive))
        if plan == nil, !removes, setup.mode.kind != .off, try setup.installed() == nil {
            invocation.note("nothing starts tacit yet; run: tacit notify-mode --install systemd, or cron")
        }
        return .ok
    }

    private static func store(_ mode: NotifyMode?, _ invocation: Invocation) throws {
        try StoreOpener(invocation, isWriting: false).run { session in
            try await session.change([SetSessionValue(.notifyMode, mode?.stored)])
        }
    }

    /// What was decided; nil if nobody has done so.
    private static func show(_ session: CommandSession) async throws -> NotifyMode? {
        try await session.execute(ShowSessionValue(.notifyMode)).value.flatMap { NotifyMode(stored: $0) }
    }

    private static func check(_ invocation: Invocation) throws(Failure) {
        if invocation[uninstall], invocation[install] != nil {
            throw Failure.exclusive("'--install'", "'--uninstall'")
        }
        if invocation[mode] == .off, invocation[install] != nil {
            throw Failure.installationOfOff
        }
        if invocation[websocket] != nil, invocation[mode] != .instant { throw Failure.serverWithoutInstant }
        if let address = invocation[websocket], !address.isLoopback { throw Failure.serverForOthers }
        guard let interval = invocation[every] else { return }
        guard invocation[mode] == .periodic else { throw Failure.intervalWithoutPeriod }
        guard interval >= NotifyMode.shortestInterval, interval.components.attoseconds == 0 else {
            throw Failure.intervalTooShort
        }
    }
}
