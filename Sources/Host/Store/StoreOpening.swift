/// The way of one caller from the folder of a store to its core: which step comes next, after what the steps before have found.
///
/// A value without input and output. ``StoreClaim`` carries out the steps.
public struct StoreOpening: Hashable, Sendable {
    /// The needs of a caller.
    public struct Policy: Hashable, Sendable {
        /// What the caller does if another process has the store open for writing and takes commands.
        public enum Holder: Hashable, Sendable {
            /// It cannot go on.
            case isInTheWay
            /// It sends its commands to that process.
            case takesCommands
            /// The same, and the caller reads the store itself.
            case takesChanges
        }

        /// False for a caller that only reads, and needs no lock.
        public var isWriting: Bool
        public var holder: Holder
        /// True if the key is looked for before the lock is taken: a person may take long to type, and a passphrase long to be
        /// worked out, while others may write.
        public var findsKeyFirst: Bool
        /// True if a key that was found just now opens the store too after a change of the key was finished. False for a caller
        /// that is going to change the key again, and must know its place, and for a key of an earlier opening.
        public var keepsKey: Bool
        /// True if a store that does not exist is created.
        public var creates: Bool
        /// True if the version of the store is compared before it is opened.
        public var upgradesFirst: Bool

        public init(
            isWriting: Bool = true, holder: Holder = .isInTheWay, findsKeyFirst: Bool = true, keepsKey: Bool = true,
            creates: Bool = false, upgradesFirst: Bool = false
        ) {
            self.isWriting = isWriting
            self.holder = holder
            self.findsKeyFirst = findsKeyFirst
            self.keepsKey = keepsKey
            self.creates = creates
            self.upgradesFirst = upgradesFirst
        }
    }

    /// What is to be done next.
    public enum Step: Hashable, Sendable {
        /// Find what opens the store.
        case findKey
        /// Take the lock, or find out who has it.
        case lock
        /// Finish what a crash left half done.
        case finishChanges
        /// Make the key of a new store.
        case makeKey
        /// Bring the store to the version of the program.
        case upgrade
        /// Open the core: the last step, unless the store is older.
        case open
        /// Use the core of the process that has the lock: the last step.
        case attach
        /// Report that the store is in use: the last step.
        case refuse
    }

    /// The result of a step.
    public enum Outcome: Hashable, Sendable {
        case keyFound
        /// - Parameter exists: False if there is no store in the folder.
        case locked(exists: Bool)
        /// Another process has the lock, and takes commands.
        case held
        /// - Parameter isChanged: True if something was finished.
        case changesFinished(isChanged: Bool)
        case upgraded
        /// The core was not opened: the store is of an older version.
        case isOlder
    }

    private let policy: Policy
    /// What comes next. A step that ends the way stays.
    public private(set) var step: Step
    private var hasKey: Bool
    private var isHeld = false
    private var isLocked = false
    private var isNew = false

    /// - Parameters:
    ///   - hasKey: True if the key is known from an earlier opening.
    ///   - isWhole: False if a crash left a change half done, so that the key may be another one after it is finished.
    public init(_ policy: Policy, hasKey: Bool = false, isWhole: Bool = true) {
        self.policy = policy
        self.hasKey = hasKey
        let findsKey = !hasKey && (!policy.isWriting || policy.findsKeyFirst && isWhole)
        step = findsKey ? .findKey : policy.isWriting ? .lock : .open
    }

    /// Learns the result of the step.
    public mutating func take(_ outcome: Outcome) {
        switch outcome {
        case .keyFound:
            hasKey = true
            step = isHeld ? .attach : isLocked ? readyStep : policy.isWriting ? .lock : .open
        case .locked(let exists):
            isLocked = true
            isNew = !exists
            step = isNew && policy.creates ? .makeKey : .finishChanges
        case .held:
            isHeld = true
            step =
                switch policy.holder {
                case .isInTheWay: .refuse
                case .takesCommands: .attach
                case .takesChanges: hasKey ? .attach : .findKey
                }
        case .changesFinished(let isChanged):
            if isChanged, !policy.keepsKey { hasKey = false }
            step = hasKey ? readyStep : .findKey
        case .upgraded: step = .open
        case .isOlder: step = .upgrade
        }
    }

    private var readyStep: Step { policy.upgradesFirst && !isNew ? .upgrade : .open }
}
