import ByteCoding
import JSONCoding
import SystemIO
import TestSupport
import Testing

@testable import ChatCore

/// The table of a migration, and its state on the disk.
@Suite struct MigrationStageTests {
    /// Every event that is taken, with what follows; all others are refused.
    private static let table: [MigrationStage: [MigrationEvent: MigrationSuccessor]] = [
        .archiving: [.archived: .stage(.uploading), .cancelled: .stage(.withdrawing)],
        .uploading: [.uploaded: .stage(.offered), .cancelled: .stage(.withdrawing)],
        .offered: [
            .reported: .stage(.moved), .expired: .stage(.uploading), .confirmed: .stage(.deleting),
            .cancelled: .stage(.withdrawing),
        ],
        .moved: [.confirmed: .stage(.deleting), .cancelled: .stage(.withdrawing)],
        .deleting: [.completed: .end],
        .withdrawing: [.completed: .end],
        .downloading: [.downloaded: .stage(.importing), .lost: .end, .cancelled: .end],
        .importing: [.imported: .stage(.reporting), .cancelled: .end],
        .reporting: [.completed: .end],
    ]

    @Test(arguments: MigrationStage.allCases, MigrationEvent.allCases)
    func every_event_at_every_stage(_ stage: MigrationStage, _ event: MigrationEvent) throws {
        let expected = try #require(Self.table[stage])[event]
        #expect(stage.successor(event) == expected)
        // No event leads to the other machine.
        if case .stage(let next)? = expected { #expect(next.side == stage.side) }
    }

    @Test(arguments: MigrationStage.allCases)
    func every_stage_can_be_reached_and_left(_ stage: MigrationStage) {
        func follows(_ other: MigrationStage) -> [MigrationStage] {
            MigrationEvent.allCases.compactMap { event in
                if case .stage(let next)? = other.successor(event) { next } else { nil }
            }
        }
        func all(from start: MigrationStage) -> Set<MigrationStage> {
            var known: Set = [start], open = [start]
            while let next = open.popLast() {
                for stage in follows(next) where known.insert(stage).inserted { open.append(stage) }
            }
            return known
        }
        let first: MigrationStage = stage.side == .source ? .archiving : .downloading
        #expect(all(from: first).contains(stage))
        let ends = all(from: stage).contains { last in
            MigrationEvent.allCases.contains { last.successor($0) == .end }
        }
        #expect(ends)
    }

    @Test func a_store_is_used_on_one_machine_at_most() {
        let refusals = Dictionary(uniqueKeysWithValues: MigrationStage.allCases.map { ($0, $0.refusal) })
        #expect(
            refusals == [
                .archiving: .changes, .uploading: .changes, .offered: .changes, .moved: .changes,
                .withdrawing: .changes, .deleting: .everything, .downloading: .everything, .importing: .everything,
                .reporting: .nothing,
            ])
    }

    // MARK: - The state

    private static let start = Timestamp(milliseconds: 1_700_000_000_123)

    @Test func the_source_remembers_that_there_was_a_link() throws {
        var record = MigrationRecord(sourceAt: Self.start)
        #expect(try record.take(.archived, at: Self.start) && !record.mayBeElsewhere && record.expiresAt == nil)
        let first = Timestamp(milliseconds: Self.start.milliseconds + 1000)
        record.link = "simplex:/file#/?desc=a"
        record.report = 7
        #expect(try record.take(.uploaded, at: first) && record.mayBeElsewhere)
        #expect(record.expiresAt == Timestamp(milliseconds: first.milliseconds + 48 * 3_600_000))
        #expect(try record.take(.expired, at: first) && record.link == nil && record.report == nil)
        #expect(record.stage == .uploading && record.mayBeElsewhere && record.expiresAt == nil)
        let second = Timestamp(milliseconds: first.milliseconds + 1000)
        #expect(try record.take(.uploaded, at: second) && record.offeredAt == first && record.linkedAt == second)
        #expect(try record.take(.confirmed, at: second))
        #expect(throws: MigrationError.refused(.deleting)) { try record.take(.cancelled, at: second) }
        #expect(record.stage == .deleting)
        #expect(try !record.take(.completed, at: second))
    }

    @Test(arguments: MigrationStage.allCases)
    func a_state_is_read_as_it_was_written(_ stage: MigrationStage) throws {
        var record = MigrationRecord(sourceAt: Self.start)
        record.archiveSize = 5_000_000
        record.link = "simplex:/file#/?desc=a&data=\u{1F600}"
        record.report = 3
        record.replaced = .max
        var fields = record.fields
        fields["stage"] = .string(stage.rawValue)
        fields["offeredAt"] = .string(Self.start.description)
        var reader = JSONFields(fields)
        let read = try MigrationRecord(from: &reader)
        #expect(read.stage == stage && read.replaced == .max && read.link == record.link)
        #expect(read.fields == fields)
    }

    @Test func a_damaged_state_is_an_error() throws {
        let folder = try TemporaryFolder()
        let migration = MigrationFolder(of: StoreFolder(folder.path + "/store/"))
        #expect(migration.path == folder.path + "/store.migration")
        #expect(try migration.record() == nil)
        var record = MigrationRecord(from: "simplex:/file#/?desc=a", replaces: true, at: Self.start)
        record.archiveSize = 9
        try migration.save(record)
        #expect(try migration.record() == record)
        let whole = record.fields.encoded, state = migration.path + "/state"
        for length in 0..<whole.count {
            try Files.replace(state, Bytes(whole.prefix(length)), durably: false)
            #expect(throws: MigrationError.unreadable(path: state)) { try migration.record() }
        }
        for (name, value) in [
            ("stage", JSONValue.string("flying")), ("version", 2), ("startedAt", "yesterday"), ("link", 7),
        ] {
            var fields = record.fields
            fields[name] = value
            try Files.replace(state, fields.encoded, durably: false)
            #expect(throws: MigrationError.unreadable(path: state)) { try migration.record() }
        }
        try migration.save(record)
        #expect(try migration.take(.lost, in: record) == nil && migration.record() == nil)
        #expect(!Files.exists(migration.path))
    }
}
