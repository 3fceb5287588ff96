public import ByteCoding
public import JSONCoding

/// The messages that a command received and sent, and what prevented it from receiving and sending others.
public struct FetchReport: SimpleResponse {
    /// Messages that arrived.
    public var received = 0
    /// Own messages that relays accepted.
    public var sent = 0
    /// Own messages that are still in the outbox.
    public var waiting = 0
    /// True if everything that waited at reachable relays was fetched.
    public var isComplete = false
    public var obstacles: [RelayObstacle] = []

    public static let type = "fetched"

    /// What was counted since an earlier state of the same counters.
    func since(_ earlier: FetchReport) -> FetchReport {
        var report = self
        report.received -= earlier.received
        report.sent -= earlier.sent
        return report
    }

    init(
        received: Int = 0, sent: Int = 0, waiting: Int = 0, isComplete: Bool = false, obstacles: [RelayObstacle] = []
    ) {
        self.received = received
        self.sent = sent
        self.waiting = waiting
        self.isComplete = isComplete
        self.obstacles = obstacles
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        received = try fields.count("received")
        sent = try fields.count("sent")
        waiting = try fields.count("waiting")
        isComplete = try fields.bool("complete")
        obstacles = try fields.list("obstacles")
    }

    public var fields: JSONObject {
        var fields: JSONObject = [
            "received": .integer(Int64(received)), "sent": .integer(Int64(sent)), "waiting": .integer(Int64(waiting)),
            "complete": .bool(isComplete),
        ]
        fields["obstacles"] = .array(obstacles.map(\.json))
        return fields
    }
}
