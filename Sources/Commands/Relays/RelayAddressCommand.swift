import CommandKit
import Relay
import SMPProtocol
import TerminalKit

/// `tacit relay address`
enum RelayAddressCommand {
    static let withPassword = Option<Bool>(
        flag: "with-password", "Include the password for creating queues", isCommon: true)
    static let smp = Option<Bool>(flag: "smp", "Print the address for messages only", isCommon: true)
    static let xftp = Option<Bool>(flag: "xftp", "Print the address for files only", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "relay address", "Show the addresses of a relay", promise: "the address was printed", store: .none,
            positionals: [RelayCommand.folder], options: [withPassword, smp, xftp],
            examples: [
                Example("tacit relay address /srv/relay", "Print the public address"),
                Example(
                    "tacit relay address /srv/relay --with-password",
                    "Print the address with the password, for your own clients"),
            ],
            exits: [64, 66, 69, 74, 77, 78], reports: RelayReport.forms,
            discussion: """
                The second line is the address for files, if the relay serves files; 'tacit init --server' and 'tacit server \
                add' take both at once. --smp or --xftp prints one of them. The relay need not be running. The password \
                appears only with --with-password: its holders can create queues on the relay and send to other relays through it.
                """),
        purpose: { "show the address of the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = invocation[RelayCommand.folder]
        guard !invocation[smp] || !invocation[xftp] else { throw Failure.exclusive("'--smp'", "'--xftp'") }
        let state = try RelayState(of: folder)
        guard state.address.address.port != 0, state.address.fileAddress?.port != 0 else {
            throw Reason.relayStopped(folder)
        }
        guard !invocation[xftp] || state.address.fileAddress != nil else { throw Reason.relayWithoutFiles(folder) }
        let texts = state.address.texts(withPassword: invocation[withPassword])
        let selected = invocation[xftp] ? Array(texts.dropFirst()) : invocation[smp] ? Array(texts.prefix(1)) : texts
        try invocation.print(
            RelayReport(
                addresses: selected,
                state: state.holder == nil ? "stopped" : "listening"))
        return .ok
    }
}
