import ByteCoding
package import SMPProtocol

// RSLV: names, which a resolver of the operator knows (SMP v20).

extension RelayCore {
    /// Handles RSLV of a client. Returns nil if the response follows later.
    func askForName(_ domain: SimplexDomain, _ request: ClientRequest) -> RelayMessage? {
        guard rules.resolvesNames else { return .err(.name(.noResolver)) }
        guard request.client.nameRequests < rules.nameRequests else { return .err(.name(.resolver("busy"))) }
        request.client.nameRequests += 1
        askForName(domain, of: request.client, isOwn: true) { message in
            Answer(request.correlationID, request.entityID, message)
        }
        return nil
    }

    /// Requests the record of a name.
    ///
    /// - Parameter finish: Returns the response with the record or the error.
    func askForName(
        _ domain: SimplexDomain, of client: Client, isOwn: Bool = false, finish: @escaping (RelayMessage) -> Answer
    ) {
        nameRequests.append(NameRequest(domain: domain, connection: client.id, isOwn: isOwn, finish: finish))
    }

    /// Removes and returns the requests of this turn's commands to the resolver. ``answer(_:with:)`` must follow for
    /// each.
    package func takeNameRequests() -> [NameRequest] {
        defer { nameRequests = [] }
        return nameRequests
    }

    /// Sends the response to a request in the current turn. Has no effect for a closed connection.
    package func answer(_ request: NameRequest, with result: Result<NameRecord, NameError>) {
        guard let client = client(request.connection) else { return }
        if request.isOwn { client.nameRequests -= 1 }
        switch result {
        case .success(let record):
            tell(client, request.finish(.rname(record)))
        case .failure(let error): tell(client, request.finish(.err(.name(error))))
        }
    }
}

/// A request for the record of a name. The response follows later.
package struct NameRequest {
    /// The requested name.
    package let domain: SimplexDomain
    let connection: ClientID
    /// True for a client's own command, false for a forwarded one.
    let isOwn: Bool
    let finish: (RelayMessage) -> Answer
}
