import ByteCoding
import CryptoCore
import SMPProtocol
import Store
import SystemIO

// Messages whose reading ends the process: the relay sends a message again until it is acknowledged, and the next process would
// end as the last one did. After the second time such a message is acknowledged unread.

extension EncryptedMessage {
    /// What a crash leaves behind that comes while the message is being read. Negative; the numbers of events are not.
    func crashNumber(in recipientID: EntityID) -> Int64 {
        let hash = SHA256.hash(recipientID.bytes + messageID.bytes)
        return hash.prefix(8).reduce(0) { $0 << 8 | Int64($1) } | .min
    }
}

extension CrashNote {
    /// Marks `body` with a number if there is a note.
    static func during(_ number: Int64, _ note: CrashNote?, _ body: () throws -> Void) throws {
        if let note { try note.during(number, body) } else { try body() }
    }
}

extension AgentEngine {
    /// How often the reading of a message may end the process.
    static let mostCrashes = 2

    func noteCrash(reading number: Int64) throws {
        try commit { _ in try store.noteCrash(reading: number, at: now()) }
        deadlyMessages = nil
    }

    /// True if the reading of a message has ended the process too often.
    func isDeadly(_ number: Int64) throws -> Bool {
        let known = try deadlyMessages ?? store.deadlyMessages(from: AgentEngine.mostCrashes)
        deadlyMessages = known
        return known.contains(number)
    }
}

extension AgentStore {
    fileprivate func noteCrash(reading number: Int64, at time: Timestamp) throws {
        try database.run(
            """
            INSERT INTO reading_crashes (message, failures, crashed_at) VALUES (?, 1, ?)
            ON CONFLICT (message) DO UPDATE SET failures = failures + 1, crashed_at = excluded.crashed_at
            """, number, time)
    }

    fileprivate func deadlyMessages(from count: Int) throws -> Set<Int64> {
        Set(
            try database.rows("SELECT message FROM reading_crashes WHERE failures >= ?", count) {
                row throws(StoreError) in try row.int64()
            })
    }
}
