package import CommandKit
import TerminalKit

extension CommandTree {
    /// Everything that can be typed.
    package static let tacit: CommandTree = .init(
        program: "tacit", "Private messaging from the command line", options: GlobalOptions.all,
        sections: [
            Section(
                "Daily commands",
                [
                    InitCommand.leaf.command, StatusCommand.leaf.command, ConnectCommand.leaf.command,
                    AcceptCommand.leaf.command, RejectCommand.leaf.command, SendCommand.leaf.command,
                    FetchCommand.leaf.command, ReadCommand.leaf.command, WatchCommand.leaf.command,
                    ListCommand.leaf.command, OpenCommand.leaf.command, ReplCommand.leaf.command,
                ]),
            Section(
                "Manage",
                [
                    ContactCommand.command, GroupCommand.command, ChannelCommand.command, MessageCommand.command,
                    OutboxCommand.command, CursorCommand.command, FileNoun.command,
                    ProfileCommand.command, AddressCommand.command, InvitationCommand.command, ServerCommand.command,
                    NetCommand.command, ConfigCommand.command, HookCommand.command, PasscodeCommand.command,
                    CallNoun.command,
                ]),
            Section(
                "Move and back up",
                [
                    ExportCommand.leaf.command, ImportCommand.leaf.command, MigrateCommand.command,
                    DatabaseCommand.command,
                ]),
            Section(
                "Serve and integrate",
                [
                    DaemonCommand.command, NotifyModeCommand.leaf.command, RelayCommand.command,
                    ChannelRelayCommand.command,
                    APICommand.leaf.command, RPCCommand.leaf.command, SchemaCommand.leaf.command,
                ]),
            Section(
                "Other",
                [
                    LockCommand.leaf.command, UnlockCommand.leaf.command, CompletionCommand.leaf.command,
                    DoctorCommand.leaf.command,
                    DemoCommand.leaf.command, HelpCommand.leaf.command, VersionCommand.leaf.command,
                    CompleteCommand.leaf.command,
                ]),
        ],
        topics: Topic.all, settings: ProgramSettings.all,
        exits: ExitCode.allCases.map { ExitMeaning($0.rawValue, $0.meaning) },
        commonExits: [0, 64, 70, 74, 75, 78], storeExits: [65, 66, 67, 69, 71, 77],
        commonReports: [Failure.form, ProgressOutput.form] + DraftReport.forms,
        discussion: """
            tacit keeps messages, contacts and groups in an encrypted store on this machine. send writes a message to the store and \
            passes it to a relay; fetch receives new messages. Messages are end-to-end encrypted, and relays delete them after \
            delivery.

            Results go to standard output, everything else to standard error. The exit code tells success from each kind of \
            failure: see tacit help exit-codes.
            """)
}

extension Leaf {
    /// All commands that do something.
    package static let all: [Leaf] =
        [
            InitCommand.leaf, StatusCommand.leaf, ConnectCommand.leaf, SendCommand.leaf, FetchCommand.leaf,
            ReadCommand.leaf, ListCommand.leaf, DemoCommand.leaf, APICommand.leaf, HelpCommand.leaf,
            VersionCommand.leaf, AcceptCommand.leaf, RejectCommand.leaf, ExportCommand.leaf, ImportCommand.leaf,
            LockCommand.leaf, UnlockCommand.leaf, SchemaCommand.leaf, CompletionCommand.leaf, CompleteCommand.leaf,
            WatchCommand.leaf, OpenCommand.leaf, RPCCommand.leaf, ReplCommand.leaf, DoctorCommand.leaf,
            NotifyModeCommand.leaf,
        ] + ContactCommand.leaves + GroupCommand.leaves + ChannelCommand.leaves + MessageCommand.leaves
        + ProfileCommand.leaves + AddressCommand.leaves
        + InvitationCommand.leaves + ServerCommand.leaves + RelayCommand.leaves
        + ChannelRelayCommand.leaves + DatabaseCommand.leaves
        + OutboxCommand.leaves + CursorCommand.leaves + NetCommand.leaves + DaemonCommand.leaves + ConfigCommand.leaves
        + FileNoun.leaves + PasscodeCommand.leaves + HookCommand.leaves + CallNoun.leaves + MigrateCommand.leaves
}
