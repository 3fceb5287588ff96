import CommandKit
import JSONCoding
import Relay
import SMPProtocol
import SystemIO
import TerminalKit

/// `tacit relay init`
enum RelayInitCommand {
    static let host = Option<[TransportHost]>(
        repeated: "host", "Host name or address for clients", .host(), isCommon: true)
    static let port = Option<Int>(
        "port", "Port; 0 selects a free port", .count("PORT", in: 0...65535),
        default: Int(SMP.defaultPort), isCommon: true)
    static let xftpPort = Option<Int?>(
        "xftp-port", "Port for files; 0 selects a free port", .count("PORT", in: 0...65535), defaultText: "none",
        isCommon: true)
    static let listen = Option<TransportHost?>(
        "listen", "Listening address", .host(), defaultText: "all addresses", isCommon: true)
    static let passwordFile = Option<String?>(
        "password-file", "File with the password for creating queues", .path())
    static let createPassword = Option<Bool>(
        flag: "create-password", "Generate a password for creating queues", isCommon: true)

    static let identity = Option<String?>(
        "identity", "Folder with the identity of a former relay: ca.crt and ca.key", .path())

    static let proxyPrivate = Option<Bool>(
        flag: "proxy-private", "Forward messages to relays at private addresses too")

    static let leaf: Leaf = .init(
        Command(
            "relay init", "Create a relay", promise: "the relay's keys and settings are on disk", store: .none,
            positionals: [RelayCommand.folder],
            options: [host, port, xftpPort, listen, passwordFile, createPassword, identity, proxyPrivate],
            examples: [
                Example("tacit relay init /srv/relay --host smp.example.org", "Create a public relay"),
                Example(
                    "tacit relay init /srv/relay --host smp.example.org --create-password",
                    "Create a relay for friends, with a password"),
                Example(
                    "tacit relay init /srv/relay --host smp.example.org --xftp-port 443",
                    "Create a relay for messages and files"),
                Example(
                    "tacit relay init relay --host 127.0.0.1 --port 0 --listen 127.0.0.1",
                    "Create a local relay for tests"),
            ],
            exits: [64, 66, 71, 73], reports: RelayReport.forms,
            discussion: """
                Prints the address of the relay, and with --xftp-port that for files. They contain the fingerprint of the \
                identity certificate, the only key that clients trust. The identity key is in ca.key: keep a copy elsewhere, so that the relay can move.

                --identity continues the identity of a former relay, also of the official servers, whose folder of configuration has \
                both files. Clients keep their addresses if the new relay has the same host and port. Queues, messages and \
                files are not taken over.

                With a password, only its holders can create queues and send to other relays through this one. Anyone can send \
                to an existing queue. The printed address contains the password; 'tacit relay address --with-password' shows \
                it again.

                The relay forwards messages to other relays, but not to loopback, private, link-local and other non-public \
                addresses. --proxy-private allows these, for relays in a private network. A --host that is such an address \
                implies it.
                """),
        purpose: { "create a relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        guard !invocation[host].isEmpty else {
            throw Reason.relayNeedsHost(invocation[RelayCommand.folder])
        }
        var settings = RelaySettings(hosts: invocation[host], port: UInt16(clamping: invocation[port]))
        settings.filePort = invocation[xftpPort].map { UInt16(clamping: $0) }
        settings.listen = invocation[listen]
        let privateHost = settings.privateHost
        settings.proxyPrivate = invocation[proxyPrivate] || privateHost != nil
        if invocation[createPassword] {
            guard invocation[passwordFile] == nil else {
                throw Reason.createPasswordAndFile
            }
            settings.createPassword()
        } else {
            settings.password = try invocation[passwordFile].map(password)
        }
        try settings.chooseFreePorts()
        let addresses = try RelayFolder.create(
            at: invocation[RelayCommand.folder], settings: settings, identity: invocation[identity])
        try invocation.print(RelayReport(addresses: addresses.texts(withPassword: true), state: "made"))
        if let privateHost, !invocation[proxyPrivate] {
            invocation.note(
                StyledText(
                    "\(privateHost) is a private address, so 'proxy_private' is on: the relay forwards to relays there too"
                ))
        }
        return .ok
    }

    /// The first line of a file.
    private static func password(in path: String) throws -> ServerPassword {
        let text: String
        do throws(SystemError) {
            text = String(decoding: try Files.read(path, limit: 4096), as: UTF8.self)
        } catch {
            throw Reason.unreadableRelayPassword(error, at: path)
        }
        guard let password = try? ServerPassword(String(text.prefix { !$0.isNewline })) else {
            throw Reason.invalidRelayPassword(path)
        }
        return password
    }
}

/// A relay and its address, which is the only text of it.
struct RelayReport: Report {
    /// The requested addresses: that for messages, that for files, or both in this order.
    let addresses: [String]
    let state: String

    static let forms = [
        ReportForm(
            "relay", "A relay and its address", plain: ["address"],
            [
                .always("state", .word(["made", "listening", "stopped"]), "State of the relay"),
                .always(
                    "address", .text,
                    "Address for clients, with the password if requested; with --xftp that for files"),
                .sometimes("files_address", .text, "Address for files, if the relay serves files"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "relay")
        json.set("state", state)
        json.set("address", addresses.first)
        json.set("files_address", addresses.dropFirst().first)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        addresses.map { StyledText($0) }
    }
}
