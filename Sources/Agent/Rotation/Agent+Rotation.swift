public import AgentProtocol

/// What keeps a connection in order.
extension Agent {
    /// Begins to replace the own queue of a connection by one at another server, if there is another.
    public func switchQueue(of id: ConnectionID) throws(AgentError) {
        try tell { try engine.switchQueue(of: id) }
    }

    /// Keeps the own queue after all, which is possible until the other side has answered.
    public func abortSwitch(of id: ConnectionID) throws(AgentError) {
        try tell { try engine.abortSwitch(of: id) }
    }

    /// Asks the other side for a new ratchet.
    ///
    /// - Parameter force: Also if nothing seems to be wrong, or if it was asked for before without an answer.
    public func synchronize(_ id: ConnectionID, force: Bool) throws(AgentError) {
        try tell { try engine.synchronize(id, force: force) }
    }

    /// How a connection is.
    public func condition(of id: ConnectionID) throws(AgentError) -> ConnectionCondition {
        let stored = try tell { try engine.store.connection(id) }
        guard let stored else { throw .unknownConnection }
        return ConnectionCondition(stored.connection)
    }
}
