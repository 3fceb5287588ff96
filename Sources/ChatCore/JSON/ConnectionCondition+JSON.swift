public import AgentProtocol
public import ByteCoding
public import JSONCoding
import SMPProtocol

extension ConnectionCondition: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            agentVersion: try fields.number("connAgentVersion"),
            receiveServers: try fields.list("rcvQueuesInfo") { queue throws(DecodeError) in
                try queue.word("rcvServer", ServerAddress.init(text:))
            },
            sendServers: try fields.list("sndQueuesInfo") { queue throws(DecodeError) in
                try queue.word("sndServer", ServerAddress.init(text:))
            },
            synchronization: try fields.word("ratchetSyncState", RatchetSynchronization.init(word:)),
            isSwitching: try fields.bool("switching"), canAbortSwitch: try fields.bool("canAbortSwitch"))
    }

    /// `ConnectionStats` of the API.
    public var fields: JSONObject {
        [
            "connAgentVersion": .integer(Int64(agentVersion)),
            "rcvQueuesInfo": .array(
                receiveServers.enumerated().map { index, server in
                    var queue: JSONObject = ["rcvServer": .string(server.description)]
                    if index == 0, isSwitching {
                        queue["rcvSwitchStatus"] = canAbortSwitch ? "switch_started" : "sending_quse"
                    }
                    queue["canAbortSwitch"] = .bool(index == 0 && canAbortSwitch)
                    return .object(queue)
                }),
            "sndQueuesInfo": .array(sendServers.map { .object(["sndServer": .string($0.description)]) }),
            "ratchetSyncState": .string(synchronization.word),
            "ratchetSyncSupported": true,
            // The official core tells it of a queue, if at all.
            "switching": .bool(isSwitching),
            "canAbortSwitch": .bool(canAbortSwitch),
        ]
    }
}
