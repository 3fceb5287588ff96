package import SMPProtocol

/// A command of a client that this relay carries out as a proxy. Its answer is for others to give, and comes later.
package struct ProxyRequest: Sendable {
    /// What is asked for.
    package enum Wish: Hashable, Sendable {
        /// PRXY: a session with another relay.
        case session(ServerAddress)
        /// PFWD: to forward a command over the session that is the entity of the request.
        case forward(ForwardedCommand)
    }

    package let connection: ConnectionID
    package let correlationID: CorrelationID
    package let entityID: EntityID
    package let wish: Wish
}
