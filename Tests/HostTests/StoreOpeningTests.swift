import Testing

@testable import Host

/// The steps to an open store, for each kind of caller and each finding.
@Suite struct StoreOpeningTests {
    typealias Policy = StoreOpening.Policy
    typealias Step = StoreOpening.Step

    /// The findings on the way.
    private struct Store {
        var exists = true
        var isHeld = false
        /// True if a crash left a change half done.
        var isBroken = false
        /// True if the store is older than the program.
        var isOld = false
    }

    /// The steps that a caller takes, with the last one.
    private static func steps(_ policy: Policy, _ store: Store = Store(), hasKey: Bool = false) -> [Step] {
        var opening = StoreOpening(policy, hasKey: hasKey, isWhole: !store.isBroken)
        var steps: [Step] = [], isOld = store.isOld
        while steps.count < 20 {
            steps.append(opening.step)
            switch opening.step {
            case .findKey, .makeKey: opening.take(.keyFound)
            case .lock: opening.take(store.isHeld ? .held : .locked(exists: store.exists))
            case .finishChanges: opening.take(.changesFinished(isChanged: store.isBroken))
            case .upgrade:
                isOld = false
                opening.take(.upgraded)
            case .open:
                guard isOld else { return steps }
                opening.take(.isOlder)
            case .attach, .refuse: return steps
            }
        }
        return steps
    }

    private static let reader = Policy(isWriting: false)
    private static let writer = Policy(holder: .takesCommands)
    private static let alone = Policy()
    private static let rekey = Policy(keepsKey: false)
    private static let session = Policy(holder: .takesChanges, keepsKey: false)
    private static let library = Policy(findsKeyFirst: false, creates: true, upgradesFirst: true)

    @Test func a_reader_takes_no_lock() {
        #expect(Self.steps(Self.reader) == [.findKey, .open])
        #expect(Self.steps(Self.reader, Store(isHeld: true, isBroken: true)) == [.findKey, .open])
        #expect(Self.steps(Self.reader, Store(isOld: true)) == [.findKey, .open, .upgrade, .open])
    }

    @Test func a_writer_finds_the_key_before_it_keeps_others_from_the_store() {
        #expect(Self.steps(Self.writer) == [.findKey, .lock, .finishChanges, .open])
        #expect(Self.steps(Self.writer, Store(isHeld: true)) == [.findKey, .lock, .attach])
        #expect(Self.steps(Self.alone, Store(isHeld: true)) == [.findKey, .lock, .refuse])
        #expect(
            Self.steps(Self.writer, Store(isOld: true)) == [.findKey, .lock, .finishChanges, .open, .upgrade, .open])
    }

    @Test func after_a_crash_the_key_is_found_when_the_change_is_finished() {
        let broken = Store(isBroken: true)
        for policy in [Self.writer, Self.alone, Self.rekey, Self.session] {
            #expect(Self.steps(policy, broken) == [.lock, .finishChanges, .findKey, .open])
        }
    }

    @Test func a_session_reads_beside_the_process_that_has_the_lock() {
        #expect(Self.steps(Self.session) == [.findKey, .lock, .finishChanges, .open])
        #expect(Self.steps(Self.session, Store(isHeld: true)) == [.findKey, .lock, .attach])
        #expect(Self.steps(Self.session, Store(isHeld: true, isBroken: true)) == [.lock, .findKey, .attach])
    }

    @Test func a_known_key_is_not_asked_for_again_unless_it_may_have_changed() {
        #expect(Self.steps(Self.session, hasKey: true) == [.lock, .finishChanges, .open])
        #expect(Self.steps(Self.session, Store(isHeld: true), hasKey: true) == [.lock, .attach])
        #expect(
            Self.steps(Self.session, Store(isBroken: true), hasKey: true) == [.lock, .finishChanges, .findKey, .open])
        #expect(Self.steps(Self.writer, Store(isBroken: true), hasKey: true) == [.lock, .finishChanges, .open])
    }

    @Test func the_library_creates_a_store_and_upgrades_before_it_opens() {
        #expect(Self.steps(Self.library) == [.lock, .finishChanges, .findKey, .upgrade, .open])
        #expect(Self.steps(Self.library, Store(exists: false)) == [.lock, .makeKey, .open])
        #expect(Self.steps(Self.library, Store(isHeld: true)) == [.lock, .refuse])
    }

    @Test func every_way_ends() {
        for policy in [Self.reader, Self.writer, Self.alone, Self.rekey, Self.session, Self.library] {
            for bits in 0..<32 {
                let store = Store(
                    exists: bits & 1 == 0, isHeld: bits & 2 != 0, isBroken: bits & 4 != 0, isOld: bits & 8 != 0)
                let steps = Self.steps(policy, store, hasKey: bits & 16 != 0)
                #expect(
                    [.open, .attach, .refuse].contains(steps.last) && steps.count < 20, "\(policy) \(store): \(steps)")
                // The files of a store are changed under its lock only.
                if let change = steps.firstIndex(where: { $0 == .finishChanges || $0 == .makeKey }) {
                    #expect(steps[..<change].contains(.lock) && !store.isHeld)
                }
                #expect(policy.isWriting || !steps.contains(.lock))
            }
        }
    }
}
