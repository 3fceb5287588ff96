import Relay
import TerminalKit

/// What the errors of a relay that runs here say.
extension Reason {
    init(_ error: RelayError) {
        self =
            switch error {
            case .exists:
                Reason(
                    "relay.exists", .noOutput, "the folder already contains a relay",
                    tries: [.init("tacit relay start DIR", "start the relay")])
            case .missing:
                Reason(
                    "relay.missing", .noInput, "the folder contains no relay",
                    tries: [.init("tacit relay init DIR --host HOST", "create a relay")])
            case .running(let note):
                Reason(
                    "relay.running", .later, "the relay is running already",
                    why: ["pid \(UntrustedText(bytes: note.filter { $0 > 0x20 }).singleLine) serves this folder"])
            case .settings(let line, let reason):
                Reason(
                    "relay.settings", .config, "relay.conf is invalid",
                    why: [line > 0 ? "line \(line): \(reason)" : reason])
            case .blocked(let line):
                Reason(
                    "relay.blocked-list", .config, "relay.blocked is invalid",
                    why: ["line \(line) is not an id with a blocking"])
            case .certificates, .certificateFile:
                Reason("relay.certificates", .config, "the certificates of the relay do not match each other")
            case .webCertificate:
                Reason(
                    "relay.web-certificate", .config, "the certificate for browsers cannot be used",
                    why: [
                        error.cause
                            ?? """
                            'xftp_web_certificate' and 'xftp_web_key' must name PEM files that belong together, the key \
                            without a passphrase
                            """
                    ])
            case .fingerprint:
                Reason(
                    "relay.fingerprint", .trust, "the identity certificate differs from the original one",
                    why: ["existing addresses of the relay would stop working"])
            case .identityKey:
                Reason(
                    "relay.identity-key", .config, "the identity key does not match the certificate",
                    why: ["the identity key is ca.key in the folder, or stored elsewhere"],
                    tries: [.init("tacit relay cert DIR --renew --identity-key FILE", "use the key from another place")]
                )
            case .cryptography: Reason.bug
            case .system(let error): Reason(error)
            case .store:
                Reason(
                    "relay.store", .inputOutput, "the database of the relay failed",
                    why: [error.cause].compactMap(\.self))
            case .listening:
                Reason(
                    "relay.listen", .unavailable, error.cause ?? "cannot listen on the port",
                    why: ["the port may be in use or need privileges"])
            }
    }
}
