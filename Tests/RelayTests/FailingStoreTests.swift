import ByteCoding
import Glibc
import Relay
import SMPProtocol
import SecureTransport
import Store
import SystemIO
import TestSupport
import Testing

/// A relay whose files fail: it stops, and says why.
@Suite(.timeLimit(.minutes(60))) struct FailingStoreTests {
    private static func world(
        _ change: (inout RelayRules) -> Void = { _ in }
    ) throws -> (world: CoreWorld, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        var rules = RelayRules()
        change(&rules)
        return (try CoreWorld("\(folder.path)/db", rules: rules), folder)
    }

    /// Makes every statement of an open connection to a database fail.
    private static func ruin(_ path: String) throws {
        do {
            let database = try Database(path, .readWrite)
            // Other connections read the file again.
            try database.run("PRAGMA user_version=7")
            try database.truncateLog()
        }
        let file = try FileDescriptor(opening: path, O_WRONLY)
        try file.write([UInt8](repeating: 0, count: 100), "ruin the file")
    }

    /// Two queues with a message that is too old, read from the file again.
    private static func expiring() throws -> (world: CoreWorld, folder: TemporaryFolder) {
        let (world, folder) = try world { $0.cachedQueues = 1 }
        let client = world.connect()
        for _ in 0..<2 { #expect(try client.send("hello", to: try client.makeQueue(subscribe: false)) == .ok) }
        world.clock.now = world.clock.now + .seconds(30 * 86_400)
        try world.restart()
        return (world, folder)
    }

    private static func expire(_ world: CoreWorld) throws {
        var walk = try #require(world.core.beginExpiry())
        while world.core.expire(&walk) { try world.endTurn() }
        try world.endTurn()
    }

    @Test func expiry_stops_at_a_failing_store() throws {
        let (world, folder) = try Self.expiring()
        try Database(world.path, .readWrite).execute(script: "DROP TABLE queues")
        #expect(throws: StoreError.self) { try Self.expire(world) }
        #expect(world.core.statistics.expiredMessages == 0)
        _ = folder
    }

    @Test func expiry_passes_a_queue_that_cannot_be_read() throws {
        let (world, folder) = try Self.expiring()
        try Database(world.path, .readWrite).run("UPDATE queues SET secret = ? WHERE number = 1", Bytes([1]))
        try Self.expire(world)
        #expect(world.core.statistics.expiredMessages == 1)
        _ = folder
    }

    @Test func a_size_that_cannot_be_read_ends_the_turn() throws {
        for measure in [
            { (core: RelayCore) in _ = core.usedSize }, { _ = $0.reachedLimits() }, { _ = $0.lookAtSpace() },
        ] {
            let (world, folder) = try Self.world {
                $0.sizeLimit = 1 << 30
                $0.pageLimit = 1 << 20
            }
            measure(world.core)
            try world.endTurn()
            try Self.ruin(world.path)
            measure(world.core)
            #expect(throws: StoreError.self) { try world.endTurn() }
            _ = folder
        }
    }

    @Test func a_failing_checkpoint_is_an_error() throws {
        let (world, folder) = try Self.world { $0.checkpointPages = 1 }
        _ = try world.connect().makeQueue()
        try Files.move(world.path, to: world.path + ".away")
        var failure: StoreError?
        #expect(
            Deadline.reached {
                do throws(StoreError) { try world.core.tidyUp() } catch { failure = error }
                return failure != nil
            })
        #expect(failure?.code == .cannotOpen)
        _ = folder
    }

    @Test func relay_without_clients_stops_on_file_failure() throws {
        var limits = RelayLimits.loopback
        limits.lookInterval = .milliseconds(20)
        limits.pageLimit = 1 << 20
        let world = try RelayWorld(limits: limits)
        var failure: RelayError?
        world.server?.whenFailed = { failure = $0 }
        try Self.ruin("\(world.path)/relay.db")
        try world.run("the relay stops") { failure != nil }
        guard case .store = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
    }

    @Test func statistics_that_cannot_be_written_are_noticed_once() throws {
        var limits = RelayLimits.loopback
        limits.statisticsInterval = .milliseconds(20)
        let world = try RelayWorld(limits: limits)
        var notices: [RelayNotice] = []
        world.server?.whenNoticed = { notices.append($0) }
        let path = "\(world.path)/relay.stats"
        try Files.remove(path)
        try Files.createFolder("\(path)/in-the-way")
        try world.run("it is noticed") { !notices.isEmpty }
        guard case .cannotRecord = notices.first else { return #expect(Bool(false), "\(notices)") }
        try Files.removeTree(path)
        try world.run("they are written again") { (try? RelayState(of: world.path))?.activity != nil }
        #expect(notices.count == 1)
    }

    @Test func statistics_that_cannot_be_read_are_an_error() throws {
        let world = try RelayWorld()
        world.stop()
        try Files.remove("\(world.path)/relay.stats")
        try Files.createFolder("\(world.path)/relay.stats")
        Self.expectSystemError { () throws(RelayError) in _ = try RelayState(of: world.path) }
        #expect(throws: RelayError.self) { try world.start() }
    }

    @Test func unreadable_key_is_distinct_from_missing_key() throws {
        let world = try RelayWorld()
        world.stop()
        let key = "\(world.path)/server.key"
        try Files.remove(key)
        #expect(throws: RelayError.certificates(.keyType)) { _ = try RelayFolder(opening: world.path) }
        try Files.createFolder(key)
        Self.expectSystemError { () throws(RelayError) in _ = try RelayFolder(opening: world.path) }
    }

    private static func expectSystemError(_ body: () throws(RelayError) -> Void) {
        do throws(RelayError) {
            try body()
            Issue.record("it succeeded")
        } catch {
            if case .system = error { return }
            Issue.record("\(error)")
        }
    }
}
