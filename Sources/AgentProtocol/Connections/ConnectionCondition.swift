public import SMPProtocol

/// How a connection is: where its queues are, and what is being done about them and the ratchet.
public struct ConnectionCondition: Hashable, Sendable {
    public let agentVersion: UInt16
    /// The relays of the own queues, the one in use first.
    public let receiveServers: [ServerAddress]
    /// The relays of the other side's queues, the one in use first.
    public let sendServers: [ServerAddress]
    public let synchronization: RatchetSynchronization
    /// Whether the own queue is being replaced.
    public let isSwitching: Bool
    public let canAbortSwitch: Bool

    /// A condition that was told by another process.
    public init(
        agentVersion: UInt16, receiveServers: [ServerAddress], sendServers: [ServerAddress],
        synchronization: RatchetSynchronization, isSwitching: Bool, canAbortSwitch: Bool
    ) {
        self.agentVersion = agentVersion
        self.receiveServers = receiveServers
        self.sendServers = sendServers
        self.synchronization = synchronization
        self.isSwitching = isSwitching
        self.canAbortSwitch = canAbortSwitch
    }

    public init(_ connection: Connection) {
        agentVersion = connection.agentVersion
        receiveServers = [connection.receiveQueue?.server, connection.receiveRotation?.queue?.server].compactMap { $0 }
        sendServers = [connection.sendQueue?.server, connection.sendRotation?.queue?.server].compactMap { $0 }
        synchronization = connection.synchronization
        isSwitching = connection.receiveRotation != nil
        canAbortSwitch = connection.receiveRotation?.canAbort == true
    }
}
