import CryptoCore
package import SMPProtocol

/// The session of a service.
package final class ClientService {
    let service: Service
    /// The key that signs the commands of the session.
    let key: Ed25519.PublicKey
    /// The queues or notifiers that the session is subscribed to.
    var subscribed = ServiceQueues.none
    /// True after SUBS or NSUBS, until another session of the service takes over.
    var isSubscribed = false
    /// The number of the queue up to which waiting messages were delivered after SUBS; nil before it and at the end.
    var position: Int64?

    init(_ service: Service, key: Ed25519.PublicKey) {
        self.service = service
        self.key = key
    }

    /// The id of the service.
    package var id: EntityID { service.id }
}
