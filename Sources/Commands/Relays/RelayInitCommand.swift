import CommandKit
import JSONCoding
import Relay
import SMPProtocol
import SystemIO
import TerminalKit

/// `tacit relay init`
enum RelayInitCommand {
    static let host = Option<[TransportHost]>(
        repeated: "host", "A name or address under which clients reach the relay", .host(), isCommon: true)
    static let port = Option<Int>(
        "port", "The port; 0 for one that is free now", .count("PORT", in: 0...65535),
        default: Int(SMP.defaultPort), isCommon: true)
    static let listen = Option<TransportHost?>(
        "listen", "The address to listen at", .host(), defaultText: "all addresses of the machine", isCommon: true)
    static let passwordFile = Option<String?>(
        "password-file", "A file with the password that clients need to make queues", .path())
    static let createPassword = Option<Bool>(
        flag: "create-password", "Make up a password that clients need to make queues", isCommon: true)

    static let proxyPrivate = Option<Bool>(
        flag: "proxy-private", "Forward messages to relays at private addresses too")

    static let leaf: Leaf = .init(
        Command(
            "relay init", "Make a relay", promise: "the relay's keys and settings are on disk", store: .none,
            positionals: [RelayCommand.folder],
            options: [host, port, listen, passwordFile, createPassword, proxyPrivate],
            examples: [
                Example("tacit relay init /srv/relay --host smp.example.org", "A relay for everybody"),
                Example("tacit relay init /srv/relay --host smp.example.org --create-password", "A relay for friends"),
                Example("tacit relay init relay --host 127.0.0.1 --port 0 --listen 127.0.0.1", "To try things out"),
            ],
            exits: [64, 66, 71, 73], reports: RelayReport.forms,
            discussion: """
                Prints the address of the relay, which holds the fingerprint of its key: clients trust nothing else. The key of \
                the identity is in ca.key; keep a copy of it elsewhere, and the relay can move.

                With a password only those who know it make queues there, or use the relay to reach others. Everybody can send to \
                a queue. The password is part of the printed address; 'tacit relay address --with-password' shows it again.

                The relay forwards messages to other relays, but not to relays at loopback, private, link-local or other \
                addresses that are not public. --proxy-private allows these too: use it for relays in a private network.
                """),
        purpose: { "make a relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        guard !invocation[host].isEmpty else {
            throw Reason.relayNeedsHost(invocation[RelayCommand.folder])
        }
        var settings = RelaySettings(hosts: invocation[host], port: UInt16(clamping: invocation[port]))
        settings.listen = invocation[listen]
        settings.proxyPrivate = invocation[proxyPrivate]
        if invocation[createPassword] {
            guard invocation[passwordFile] == nil else {
                throw Reason.createPasswordAndFile
            }
            settings.createPassword()
        } else {
            settings.password = try invocation[passwordFile].map(password)
        }
        if settings.port == 0 { try settings.chooseFreePort() }
        let address = try RelayFolder.create(at: invocation[RelayCommand.folder], settings: settings)
        try invocation.print(RelayReport(address: address, state: "made"))
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
    let address: ConfiguredServer
    let state: String

    static let forms = [
        ReportForm(
            "relay", "A relay and its address", plain: ["address"],
            [
                .always("state", .word(["made", "listening", "stopped"]), "Whether it runs"),
                .always("address", .text, "What clients need to know, with the password if that was asked for"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "relay")
        json.set("state", state)
        json.set("address", address.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(address.description)]
    }
}
