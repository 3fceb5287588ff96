/// The stages of moving a store to another machine, as a pure table: each event leads to the next stage, or is refused.
///
/// The first six are those of the source, the others those of the destination. Each stage is stored before its work begins, and its
/// work can be repeated, so that a process may end at any instruction.
public enum MigrationStage: String, CaseIterable, Hashable, Sendable {
    /// The store is frozen, and its archive is being written.
    case archiving
    /// The archive is being uploaded.
    case uploading
    /// There is a link, and the other machine has not reported anything.
    case offered
    /// The other machine has reported that the store works there.
    case moved
    /// The user has confirmed the move: the uploaded archive and the store are being deleted.
    case deleting
    /// The user has cancelled: the uploaded archive is being deleted, and the store becomes usable again.
    case withdrawing
    /// The archive is being downloaded.
    case downloading
    /// The archive is on this machine, and is becoming the store.
    case importing
    /// The store is in place, and the source is being told.
    case reporting

    /// The side of a migration.
    public enum Side: String, Hashable, Sendable {
        case source, destination
    }

    public var side: Side {
        switch self {
        case .archiving, .uploading, .offered, .moved, .deleting, .withdrawing: .source
        case .downloading, .importing, .reporting: .destination
        }
    }

    /// What a store refuses while the migration is at a stage.
    public enum Refusal: Hashable, Sendable {
        case nothing
        /// Everything that would change the store or use its connections.
        case changes
        case everything
    }

    /// What the store of the migration refuses.
    public var refusal: Refusal {
        switch self {
        case .archiving, .uploading, .offered, .moved, .withdrawing: .changes
        case .deleting, .downloading, .importing: .everything
        case .reporting: .nothing
        }
    }

    /// The stage after an event, or the end of the migration; nil if the event is refused at this stage.
    public func successor(_ event: MigrationEvent) -> MigrationSuccessor? {
        switch (self, event) {
        case (.archiving, .archived): .stage(.uploading)
        case (.uploading, .uploaded): .stage(.offered)
        case (.offered, .reported): .stage(.moved)
        // Relays keep files for two days: the archive is uploaded again.
        case (.offered, .expired): .stage(.uploading)
        case (.offered, .confirmed), (.moved, .confirmed): .stage(.deleting)
        case (.archiving, .cancelled), (.uploading, .cancelled), (.offered, .cancelled), (.moved, .cancelled):
            .stage(.withdrawing)
        case (.deleting, .completed), (.withdrawing, .completed): .end
        case (.downloading, .downloaded): .stage(.importing)
        case (.downloading, .lost): .end
        case (.importing, .imported): .stage(.reporting)
        case (.downloading, .cancelled), (.importing, .cancelled): .end
        case (.reporting, .completed): .end
        default: nil
        }
    }
}

/// What happens to a migration.
public enum MigrationEvent: String, CaseIterable, Hashable, Sendable {
    /// The archive is complete.
    case archived
    /// File relays have the archive, and there is a link.
    case uploaded
    /// The other machine says that it has the store.
    case reported
    /// File relays do not have the archive any longer, and the other machine has not reported.
    case expired
    /// The user says that the store works on the other machine.
    case confirmed
    /// The user wants to stay on this machine, or none of the archive.
    case cancelled
    /// The archive was downloaded.
    case downloaded
    /// File relays do not have the archive: the link was used, or has expired.
    case lost
    /// The archive has become the store.
    case imported
    /// The last work of a stage is done.
    case completed
}

/// What follows an event of a migration.
public enum MigrationSuccessor: Hashable, Sendable {
    case stage(MigrationStage)
    /// The migration is over, and nothing is left of it.
    case end
}
