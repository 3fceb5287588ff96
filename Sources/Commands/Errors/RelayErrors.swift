import Relay
import TerminalKit

/// What the errors of a relay that runs here say.
extension Reason {
    init(_ error: RelayError) {
        self =
            switch error {
            case .exists:
                Reason(
                    "relay.exists", .noOutput, "the folder holds a relay already",
                    tries: [.init("tacit relay start DIR", "start it")])
            case .missing:
                Reason(
                    "relay.missing", .noInput, "the folder holds no relay",
                    tries: [.init("tacit relay init DIR --host HOST", "make one")])
            case .running(let note):
                Reason(
                    "relay.running", .later, "the relay is running already",
                    why: ["pid \(UntrustedText(bytes: note.filter { $0 > 0x20 }).singleLine) serves this folder"])
            case .settings(let line, let reason):
                Reason(
                    "relay.settings", .config, "relay.conf is not valid",
                    why: [line > 0 ? "line \(line): \(reason)" : reason])
            case .certificates, .certificateFile:
                Reason("relay.certificates", .config, "the certificates of the relay do not fit together")
            case .fingerprint:
                Reason(
                    "relay.fingerprint", .trust, "the certificate is not the one that the relay was made with",
                    why: ["the addresses that people have would lead nowhere"])
            case .identityKey:
                Reason(
                    "relay.identity-key", .config, "the key of its identity does not fit",
                    why: ["it signs certificates, and is ca.key in the folder unless it is kept elsewhere"],
                    tries: [.init("tacit relay cert DIR --renew --identity-key FILE", "where it is")])
            case .cryptography: Reason.bug
            case .system(let error): Reason(error)
            case .store:
                Reason("relay.store", .inputOutput, "its database failed", why: [error.cause].compactMap(\.self))
            case .listening:
                Reason(
                    "relay.listen", .unavailable, error.cause ?? "the port cannot be listened at",
                    why: ["the port may be in use, or may need privileges"])
            }
    }
}
