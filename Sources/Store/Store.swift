/// SQLite databases: connections, values in and out, transactions, migrations.
///
/// - ``Database`` is one connection. It belongs to one thread (an actor with the event loop as executor owns it) and
///   waits for the disk, never for the network.
/// - Values go in as ``SQLValue`` arguments and come out through a ``Row``, which is read column by column and throws
///   when the database holds something else than the program wrote.
/// - ``Database/transaction(_:)`` is all or nothing, also when the machine loses power.
/// - ``Migration`` describes a step of a schema; ``Database/migrate(_:)`` brings a database to the newest, and
///   ``Database/takeBack(to:)`` to an older one, with the ways back that are kept in the database.
///
/// There is one writer for each database, which a file lock outside of this target enforces; readers may be beside it
/// and see a snapshot. What the tables mean is not known here.
import ByteCoding

/// Why a database cannot do what was asked. The description names neither a path nor contents.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The file does not exist or cannot be opened.
        case cannotOpen
        /// Another process holds the database for longer than the time limit.
        case busy
        /// The disk is full.
        case diskFull
        /// The disk failed, or the file may not be written.
        case disk
        /// The file is damaged, or holds what no version of the program writes.
        case damaged
        /// The file is not a database.
        case notADatabase
        /// The database is encrypted with another key.
        case wrongKey
        /// The database is encrypted, and there was no key.
        case keyMissing
        /// The database has not all steps of the schema.
        case olderSchema
        /// A newer version of the program made the database.
        case newerSchema
        /// The schema is not the one that this version knows by that number.
        case otherSchema
        /// A value contradicts a rule of the schema: a mistake of the program.
        case constraint
        /// The program used the database wrongly.
        case misuse
        case outOfMemory
    }

    public let code: Code
    /// SQLite's extended result code, for reports of mistakes; 0 where SQLite was not asked.
    public let detail: Int32

    public init(_ code: Code, detail: Int32 = 0) {
        self.code = code
        self.detail = detail
    }

    /// Whether a single value cannot be read, and the file itself is whole: SQLite has a code for a damaged file.
    public var isUnreadableValue: Bool { code == .damaged && detail == 0 }

    /// Whether it may mean that nothing can be written where the database is: the disk is full, or nobody may.
    public var preventsWriting: Bool { [.cannotOpen, .disk, .diskFull].contains(code) }

    public var description: String {
        detail == 0 ? "store: \(code.rawValue)" : "store: \(code.rawValue) (sqlite \(detail))"
    }
}
