import AgentProtocol
import JSONCoding
import SMPProtocol

extension ConnectionCondition {
    /// `ConnectionStats` of the API.
    var json: JSONValue {
        .object([
            "connAgentVersion": .integer(Int64(agentVersion)),
            "rcvQueuesInfo": .array(
                receiveServers.enumerated().map { index, server in
                    .object([
                        "rcvServer": .string(server.description), "canAbortSwitch": .bool(index == 0 && canAbortSwitch),
                    ])
                }),
            "sndQueuesInfo": .array(sendServers.map { .object(["sndServer": .string($0.description)]) }),
            "ratchetSyncState": .string(synchronization.word),
            "ratchetSyncSupported": true,
        ])
    }
}
