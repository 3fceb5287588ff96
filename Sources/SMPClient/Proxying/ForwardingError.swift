import SMPProtocol
import SecureTransport

/// Why a command that was to go through a proxy did not get there, or was refused there.
public enum ForwardingError: Error, Hashable, Sendable {
    /// The proxy cannot be used: it cannot be reached, or refuses to be a proxy.
    case proxy(SessionError)
    /// The relay behind it refused the command, or could not be reached from the proxy.
    case destination(SessionError)

    /// Sorts an answer of the proxy that is an error, or none at all. What a destination says about the command itself
    /// does not come this way.
    init(answer error: SessionError) {
        switch error {
        case .refused(.proxy(.broker)), .refused(.proxy(.relay)): self = .destination(error)
        default: self = .proxy(error)
        }
    }

    /// Whether trying again cannot help as long as proxy and destination stay what they are: the only thing that can is
    /// another way.
    public var isLackOfSupport: Bool {
        switch self {
        case .proxy(let error):
            switch error {
            case .connection(.unknownHost), .noRoute, .handshake(.version), .refused(.command): true
            // What relays answer that are no proxies for everybody.
            case .refused(.proxy(.password)): true
            default: false
            }
        case .destination(let error):
            switch error {
            case .handshake(.version), .refused(.proxy(.broker(.host))),
                .refused(.proxy(.broker(.transport(.version)))):
                true
            default: false
            }
        }
    }
}
