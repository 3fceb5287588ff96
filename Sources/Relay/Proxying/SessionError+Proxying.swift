import SMPClient
import SMPProtocol

extension SessionError {
    /// What a client is told when its proxy meets this error.
    var forProxiedClient: ProtocolError {
        switch self {
        case .refused(let error): .proxy(.relay(error))
        case .timedOut: .proxy(.broker(.timeout))
        case .handshake(let error): .proxy(.broker(.transport(error)))
        case .unexpectedAnswer: .proxy(.broker(.response("BLOCK")))
        case .tooLarge: .proxy(.broker(.transport(.largeMessage)))
        // SECURITY: a client must not learn more of the network around the proxy than that it did not work. A wrong
        // identity, too, may be a name server's mistake, which passes.
        case .connection: .proxy(.broker(.network))
        case .noRoute: .proxy(.broker(.host))
        // A proxy asks nobody in between.
        case .unusableKey, .forwarder: .internal
        }
    }
}
