import AgentProtocol

/// The old dispatch of commands that are typed now. Nothing reaches it: texts are read as typed commands first.
extension LocalCore {
    private func moved() throws -> CoreResponse { throw ChatError.internal }

    func listContacts(_: OwnProfile) throws -> CoreResponse { try moved() }
    func showContact(_: ProfileID?, name: String) throws -> CoreResponse { try moved() }
    func setQuantumResistance(of chat: ChatTarget, _: Bool) throws -> CoreResponse { try moved() }
    func rename(_: ChatTarget, _: String) throws -> CoreResponse { try moved() }
    func setMuted(_: ChatTarget, _: Bool) throws -> CoreResponse { try moved() }
    func setBlocked(_: ChatTarget, _: Bool) throws -> CoreResponse { try moved() }
    func delete(_: ChatTarget, _: ContactDeletion, notifies: Bool) async throws -> CoreResponse { try moved() }
    func securityCode(_: ChatTarget) throws -> CoreResponse { try moved() }
    func verify(_: ChatTarget, _: String?) throws -> CoreResponse { try moved() }
    func receive(timeout: Duration?) async throws -> CoreResponse { try moved() }
    func deliver(to chat: ChatTarget, timeout: Duration) async throws -> CoreResponse { try moved() }
    func fetch(timeout: Duration, idle: Duration) async throws -> CoreResponse { try moved() }
    func wait(for id: ChatItemID, timeout: Duration) async throws -> CoreResponse { try moved() }
    func waitForDelivery(of id: ChatItemID, timeout: Duration) async throws -> CoreResponse { try moved() }
    func wait(for id: ConnectionID, _: ConnectionStage, timeout: Duration) async throws -> CoreResponse { try moved() }
    func setReceipts(_: Bool, of id: ProfileID?, clearsContacts: Bool) throws -> CoreResponse { try moved() }
    func setReceipts(_: Bool?, of chat: ChatTarget) throws -> CoreResponse { try moved() }
    func setAllReceipts(_: Bool) throws -> CoreResponse { try moved() }
    func switchQueue(_: ChatTarget) throws -> CoreResponse { try moved() }
    func abortSwitch(_: ChatTarget) throws -> CoreResponse { try moved() }
    func synchronize(_: ChatTarget, force: Bool) throws -> CoreResponse { try moved() }
    func session(_: SessionCommand) throws -> CoreResponse { try moved() }
    func call(_: CallCommand) throws -> CoreResponse { try moved() }
    func status(_: ProfileID?) throws -> CoreResponse { try moved() }
}
