import ByteCoding
import CommandKit
import JSONCoding
import Relay
import TerminalKit

/// `tacit relay cert`
enum RelayCertCommand {
    static let renew = Option<Bool>(
        flag: "renew", "Make a new online certificate and key; the relay must not run", isCommon: true)
    static let identityKey = Option<String?>(
        "identity-key", "The key of the identity, where it is kept elsewhere", .path(), defaultText: "ca.key in DIR")

    static let leaf: Leaf = .init(
        Command(
            "relay cert", "Show or renew the certificate of a relay",
            promise: "the certificate was printed; with --renew the new one is on disk", store: .none,
            positionals: [RelayCommand.folder], options: [renew, identityKey],
            examples: [
                Example("tacit relay cert /srv/relay", "What clients check"),
                Example("tacit relay cert /srv/relay --renew", "After somebody may have read server.key"),
                Example(
                    "tacit relay cert /srv/relay --renew --identity-key /media/usb/ca.key",
                    "With a key that is kept elsewhere"),
            ],
            exits: [64, 66, 71, 74, 75, 77, 78, 79], reports: RelayCertReport.forms,
            discussion: """
                Clients trust the identity certificate (ca.crt), whose hash is in the relay's address. It has signed the online \
                certificate (server.crt), whose key the running relay needs. A renewal replaces the online certificate and its \
                key: addresses stay as they are, and clients notice nothing. The key of the identity (ca.key) is needed for \
                that alone, and is best kept elsewhere.
                """),
        purpose: {
            let deed = $0[renew] ? "renew" : "show"
            return "\(deed) the certificate of the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)"
        }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = invocation[RelayCommand.folder]
        guard invocation[renew] else {
            guard invocation[identityKey] == nil else {
                throw Failure.identityKeyWithoutRenewal
            }
            try invocation.print(RelayCertReport(state: try CertificateState(of: folder), isRenewed: false))
            return .ok
        }
        try RelayFolder(opening: folder).renewCertificate(identityKey: invocation[identityKey])
        try invocation.print(done: RelayCertReport(state: try CertificateState(of: folder), isRenewed: true))
        return .ok
    }
}

/// The certificate of a relay.
private struct RelayCertReport: Report {
    let state: CertificateState
    let isRenewed: Bool

    static let forms = [
        ReportForm(
            "relay-cert", "The certificate of a relay", plain: ["fingerprint", "starts_at", "expires_at"],
            [
                .always("fingerprint", .text, "The SHA-256 of the identity, as addresses hold it"),
                .always("starts_at", .time, "When the online certificate begins to be valid"),
                .always("expires_at", .time, "When the online certificate expires"),
                .always("valid_from", .time, "When the online certificate begins to be valid").kept(for: "starts_at"),
                .always("valid_until", .time, "When the online certificate expires").kept(for: "expires_at"),
                .always("identity_key", .flag, "Whether the key of the identity is in the folder"),
                .always("renewed", .flag, "Whether it was made just now"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "relay-cert")
        json.set("fingerprint", Base64URL.encode(state.fingerprint))
        json.set("starts_at", state.validity.lowerBound.description)
        json.set("expires_at", state.validity.upperBound.description)
        json.set("valid_from", state.validity.lowerBound.description)
        json.set("valid_until", state.validity.upperBound.description)
        json.set("identity_key", state.hasIdentityKey)
        json.set("renewed", isRenewed)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func say(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        say("identity", StyledText(Base64URL.encode(state.fingerprint)))
        say("from", style.time(state.validity.lowerBound))
        say("until", style.time(state.validity.upperBound))
        say("ca.key", state.hasIdentityKey ? "in the folder; better kept elsewhere" : "not in the folder")
        return table.lines(width: style.width, withTitles: false)
    }
}
