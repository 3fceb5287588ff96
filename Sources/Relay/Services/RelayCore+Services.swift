import ByteCoding
import CryptoCore
package import SMPProtocol

// Services: clients with a certificate, which associate queues with it by NEW, SUB and NSUB, and subscribe to all of
// them with SUBS or NSUBS (SMP v16 for notifications, v19 for messages).

extension RelayCore {
    /// Returns the session of a service, which is stored if it is new. The turn has to be ended afterwards.
    ///
    /// - Throws: ``TransportError/badService`` for another role than before, and at the limits of the relay.
    package func service(_ credentials: ServiceCredentials, of id: ClientID) throws(TransportError) -> ClientService {
        var session: ClientService?
        attempt {
            if let known = try services.service(fingerprint: credentials.fingerprint) {
                guard known.role == credentials.role else { return }
                return session = ClientService(known, key: credentials.key)
            }
            // SECURITY: a certificate costs a client nothing, so a service counts as a queue.
            guard rules.mayMakeQueue?(id) ?? true, try store.hasRoom(Cost.key),
                try store.hasSpace(Cost.key, for: .growth)
            else { return }
            if services.count >= rules.serviceLimit {
                guard try services.removeUnused({ serviceSubscribers[$0] != nil || isConnected($0) }) else { return }
            }
            let new = try services.add(
                id: randomID(), role: credentials.role, fingerprint: credentials.fingerprint)
            session = ClientService(new, key: credentials.key)
        }
        guard let session else { throw .badService }
        return session
    }

    /// Checks the role and the signature of a service.
    ///
    /// - Throws: ``ProtocolError``.
    func checkService(_ request: ClientRequest) throws(ProtocolError) {
        let signature = request.transmission.serviceSignature, tag = request.command.tag
        guard let service = request.service else {
            guard signature == nil else { throw .service }
            return
        }
        if let role = tag.serviceRole, role != service.service.role { throw .command(.prohibited) }
        guard tag.associatesService else {
            guard signature == nil else { throw .service }
            return
        }
        guard let signature, service.key.verify(signature, of: request.transmission.authorized(in: request.session))
        else { throw .service }
    }

    /// Handles SUBS: subscribes this connection to all queues of its service. Their waiting messages follow, then ALLS.
    func subscribeService(_ request: ClientRequest) throws -> RelayMessage {
        let session = try authorizedService(request)
        if !session.isSubscribed {
            beginServiceSubscription(session, request.client)
            session.position = 0
            try deliverWaiting(to: request.client)
        }
        return .soks(session.subscribed)
    }

    /// Handles NSUBS: subscribes this connection to all notifiers of its service.
    func subscribeNotifierService(_ request: ClientRequest) throws -> RelayMessage {
        let session = try authorizedService(request)
        if !session.isSubscribed {
            beginServiceSubscription(session, request.client)
            for id in notifications.notifiers
            where try queues.queue(notifierID: id)?.notifier?.service == session.service.number {
                addNotifierSubscription(to: id, of: request.client)
                owedNotifiers.insert(id)
            }
        }
        return .soks(session.subscribed)
    }

    private func beginServiceSubscription(_ session: ClientService, _ client: Client) {
        takeOver(session, client)
        session.isSubscribed = true
        session.subscribed = session.service.queues
    }

    /// Returns the service that authorized the command for itself.
    private func authorizedService(_ request: ClientRequest) throws(ProtocolError) -> ClientService {
        guard let session = request.service, request.entityID == session.id,
            case .signature(let signature) = request.transmission.authorization,
            session.key.verify(signature, of: request.transmission.authorized(in: request.session))
        else { throw .service }
        return session
    }

    /// Makes this connection the one that receives for its service. The former one is told what it lost.
    func takeOver(_ session: ClientService, _ client: Client) {
        let number = session.service.number
        if let former = serviceSubscribers[number], former !== client, let ended = former.service {
            for queue in former.subscriptions.keys { subscribers[queue] = nil }
            former.subscriptions = [:]
            for notifier in former.notifierSubscriptions { notifierSubscribers[notifier] = nil }
            former.notifierSubscriptions = []
            statistics.subscriptions = subscribers.count
            report(.ends(ended.subscribed), of: ended.id, to: former)
            ended.subscribed = .none
            ended.isSubscribed = false
            ended.position = nil
        }
        serviceSubscribers[number] = client
    }

    /// Associates a queue with the service of a connection, which receives its messages from now on.
    func associate(_ queue: Queue, with session: ClientService, _ client: Client) throws {
        let isNew = queue.service != session.service.number
        if isNew {
            try requireSpace(Cost.key, for: .rewriting)
            leaveService(queue, with: .end, unlessOf: client)
        }
        takeOver(session, client)
        count(queue.recipientID, isNew: isNew, session)
        try services.setService(session.service, of: queue)
    }

    /// Associates the notifier of a queue with the service of a connection.
    func associateNotifier(of queue: Queue, with session: ClientService, _ client: Client) throws {
        guard let notifier = queue.notifier else { return }
        let isNew = notifier.service != session.service.number
        if isNew {
            try requireSpace(Cost.key, for: .rewriting)
            leaveService(notifier, with: .end, unlessOf: client)
        }
        takeOver(session, client)
        count(notifier.id, isNew: isNew, session)
        try services.setService(session.service, ofNotifierOf: queue)
    }

    /// Adds a queue to the list of a session. A repeated association adds it only before the first subscription.
    private func count(_ id: EntityID, isNew: Bool, _ session: ClientService) {
        if isNew || session.subscribed.count == 0 { session.subscribed.add(id) }
    }

    /// Tells the connection of a queue's service, if it is another, that it no longer receives from the queue.
    private func leaveService(_ queue: Queue, with event: RelayMessage, unlessOf client: Client) {
        guard let number = queue.service, let former = serviceSubscribers[number] else { return }
        former.service?.subscribed.remove(queue.recipientID)
        // The end of an existing subscription is reported with that.
        guard former !== client, subscribers[queue.number] == nil else { return }
        report(event, of: queue.recipientID, to: former)
    }

    private func leaveService(_ notifier: Notifier, with event: RelayMessage, unlessOf client: Client) {
        guard let number = notifier.service, let former = serviceSubscribers[number] else { return }
        former.service?.subscribed.remove(notifier.id)
        guard former !== client, notifierSubscribers[notifier.id] == nil else { return }
        report(event, of: notifier.id, to: former)
    }

    /// Ends the association of a queue with a service for a client outside of it.
    func dissociate(_ queue: Queue, _ client: Client) throws {
        guard queue.service != nil else { return }
        leaveService(queue, with: .end, unlessOf: client)
        try services.setService(nil, of: queue)
    }

    /// Ends the association of a queue that is deleted.
    func dissociateDeleted(_ queue: Queue, _ client: Client) throws {
        if queue.service != nil {
            leaveService(queue, with: .deld, unlessOf: client)
            try services.setService(nil, of: queue)
        }
        try dissociateNotifier(of: queue, with: .deld, client)
    }

    /// Ends the association of the notifier of a queue, which is deleted or subscribed to by another client.
    func dissociateNotifier(of queue: Queue, with event: RelayMessage, _ client: Client) throws {
        guard let notifier = queue.notifier, notifier.service != nil else { return }
        leaveService(notifier, with: event, unlessOf: client)
        try services.setService(nil, ofNotifierOf: queue)
    }

    // MARK: - Delivery

    /// The number of queues of a service in a step of delivery.
    private static let queuesPerStep = 500

    /// Delivers waiting messages of the queues of a service, as far as there is room, in steps.
    func deliverToService(_ client: Client) throws {
        guard let session = client.service, var position = session.position, client.room.messages > 0 else { return }
        let step = try services.queues(of: session.service, after: position, limit: RelayCore.queuesPerStep)
        var isComplete = step.count < RelayCore.queuesPerStep
        for (number, hasMessages) in step {
            if hasMessages {
                guard client.room.messages > 0 else {
                    isComplete = false
                    break
                }
                // A queue with a subscription had a message after SUBS.
                if client.subscriptions[number] == nil, let queue = try queues.readableQueue(number: number) {
                    try deliver(queue, to: addSubscription(to: queue, of: client))
                }
            }
            position = number
        }
        session.position = isComplete ? nil : position
        if isComplete { report(.alls, of: .empty, to: client) }
    }

    /// Returns the subscription of the connection of a queue's service. It begins with the first message.
    func serviceSubscription(to queue: Queue) -> ClientSubscription? {
        guard let number = queue.service, let client = serviceSubscribers[number] else { return nil }
        return addSubscription(to: queue, of: client)
    }

    /// Subscribes the connection of a notifier's service to the notifier with its first notification.
    func subscribeService(of notifier: Notifier) {
        guard notifierSubscribers[notifier.id] == nil, let number = notifier.service,
            let client = serviceSubscribers[number]
        else { return }
        addNotifierSubscription(to: notifier.id, of: client)
    }

    func addNotifierSubscription(to notifier: EntityID, of client: Client) {
        notifierSubscribers[notifier] = client
        client.notifierSubscriptions.insert(notifier)
    }
}
