import ByteCoding
import CommandKit
import JSONCoding
import Relay
import TerminalKit

/// `tacit relay cert`
enum RelayCertCommand {
    static let renew = Option<Bool>(
        flag: "renew", "Create a new online certificate and key; the relay must be stopped", isCommon: true)
    static let identityKey = Option<String?>(
        "identity-key", "Key file of the identity certificate, if not in DIR", .path(), defaultText: "ca.key in DIR")

    static let leaf: Leaf = .init(
        Command(
            "relay cert", "Show or renew the certificate of a relay",
            promise: "the certificate was printed; with --renew the new one is on disk", store: .none,
            positionals: [RelayCommand.folder], options: [renew, identityKey],
            examples: [
                Example("tacit relay cert /srv/relay", "Show the certificate"),
                Example("tacit relay cert /srv/relay --renew", "Renew after a possible leak of server.key"),
                Example(
                    "tacit relay cert /srv/relay --renew --identity-key /media/usb/ca.key",
                    "Renew with an identity key on another medium"),
            ],
            exits: [64, 66, 71, 74, 75, 77, 78, 79], reports: RelayCertReport.forms,
            discussion: """
                Clients trust the identity certificate (ca.crt), whose hash is part of the relay's address. It signs the \
                online certificate (server.crt); the running relay needs only the key of the online certificate. A renewal \
                replaces the online certificate and its key. Addresses stay the same, and clients need no change. Only \
                renewals need the identity key (ca.key): store it elsewhere.
                """),
        purpose: {
            let action = $0[renew] ? "renew" : "show"
            return "\(action) the certificate of the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)"
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
                .always("fingerprint", .text, "SHA-256 of the identity certificate, as in addresses"),
                .always("starts_at", .time, "Start of validity of the online certificate"),
                .always("expires_at", .time, "End of validity of the online certificate"),
                .always("valid_from", .time, "Start of validity of the online certificate").kept(for: "starts_at"),
                .always("valid_until", .time, "End of validity of the online certificate").kept(for: "expires_at"),
                .always("identity_key", .flag, "True if the identity key is in the folder"),
                .always("renewed", .flag, "True if the certificate was renewed by this command"),
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
        say("ca.key", state.hasIdentityKey ? "in the folder; store it elsewhere" : "not in the folder")
        return table.lines(width: style.width, withTitles: false)
    }
}
