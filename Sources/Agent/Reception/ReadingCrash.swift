import ByteCoding
import CryptoCore
import SMPProtocol
import Store
import SystemIO

// A message whose reading ends the process would arrive again in the next process, until it is acknowledged. After the
// second crash such a message is acknowledged unread.

extension EncryptedMessage {
    /// Returns the number that a crash note stores while the message is being read. It is negative, unlike the numbers
    /// of events.
    func crashNumber(in recipientID: EntityID) -> Int64 {
        let hash = SHA256.hash(recipientID.bytes + messageID.bytes)
        return hash.prefix(8).reduce(0) { $0 << 8 | Int64($1) } | .min
    }
}

extension CrashNote {
    /// Marks `body` with a number, if there is a note.
    static func during(_ number: Int64, _ note: CrashNote?, _ body: () throws -> Void) throws {
        if let note { try note.during(number, body) } else { try body() }
    }
}

extension AgentEngine {
    /// The number of crashes after which a message is acknowledged unread.
    static let mostCrashes = 2

    func noteCrash(reading number: Int64) throws {
        try commit { _ in try store.noteCrash(reading: number, at: now()) }
        deadlyMessages = nil
    }

    /// Returns true if reading the message has ended the process too often.
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
