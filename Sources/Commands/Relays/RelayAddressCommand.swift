import CommandKit
import Relay
import SMPProtocol
import TerminalKit

/// `tacit relay address`
enum RelayAddressCommand {
    static let withPassword = Option<Bool>(
        flag: "with-password", "Include the password for creating queues", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "relay address", "Show the addresses of a relay", promise: "the address was printed", store: .none,
            positionals: [RelayCommand.folder], options: [withPassword],
            examples: [
                Example("tacit relay address /srv/relay", "Print the public address"),
                Example(
                    "tacit relay address /srv/relay --with-password",
                    "Print the address with the password, for your own clients"),
            ],
            exits: [66, 69, 74, 77, 78], reports: RelayReport.forms,
            discussion: """
                The second line is the address for files, if the relay serves files. The relay need not be running. The password \
                appears only with --with-password: its holders can create queues on the relay and send to other relays through it.
                """),
        purpose: { "show the address of the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = invocation[RelayCommand.folder]
        let state = try RelayState(of: folder)
        guard state.address.address.port != 0, state.address.fileAddress?.port != 0 else {
            throw Reason.relayStopped(folder)
        }
        try invocation.print(
            RelayReport(
                addresses: state.address.texts(withPassword: invocation[withPassword]),
                state: state.holder == nil ? "stopped" : "listening"))
        return .ok
    }
}
