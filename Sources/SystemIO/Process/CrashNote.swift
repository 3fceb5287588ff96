import Glibc

/// A note of the current work of a process, written if a fault ends the process.
///
/// A note costs nothing without a crash. Its number is in memory, and the handler of the fatal signals (SIGILL,
/// SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE) writes the file: 8 bytes in the byte order of the machine. Then the
/// signal has the action that it had before, which ends the process. SIGKILL and a power loss write nothing: they are
/// not caused by the work.
///
/// Notes are thread-safe. At most ``limit`` of them exist at a time; further notes write nothing.
@safe
public final class CrashNote: Sendable {
    /// The largest number of notes in a process.
    static let limit = 16

    private let path: String
    private let slot: Int?

    /// Creates a note in the file at `path`, for work marked with ``during(_:_:)``.
    public init(_ path: String) {
        self.path = path
        slot = unsafe CrashSlots.shared.take(path)
    }

    deinit {
        if let slot { unsafe CrashSlots.shared.free(slot) }
    }

    /// Returns the number of the last crash, or nil. A file of another size is ignored.
    ///
    /// - Throws: ``SystemError``.
    public func read() throws(SystemError) -> Int64? {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(path, limit: 64)
        } catch {
            guard error.condition == .missing || error.number == SystemError.tooLong else { throw error }
            return nil
        }
        guard bytes.count == 8 else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Removes the number of the last crash.
    ///
    /// - Throws: ``SystemError``.
    public func clear() throws(SystemError) {
        if Files.exists(path) { try Files.remove(path) }
    }

    /// The number that a crash would write now; nil without a mark.
    package var current: Int64? {
        let number = slot.map { unsafe CrashSlots.shared.number($0) } ?? 0
        return number == 0 ? nil : number
    }

    /// Runs `body`; a crash meanwhile writes `number`, which must not be 0. Calls can be nested.
    public func during<Value, Failure: Error>(_ number: Int64, _ body: () throws(Failure) -> Value) throws(Failure)
        -> Value
    {
        guard let slot else { return try body() }
        let former = unsafe CrashSlots.shared.number(slot)
        unsafe CrashSlots.shared.mark(slot, number)
        defer { unsafe CrashSlots.shared.mark(slot, former) }
        return try body()
    }
}

/// The notes of a process, in memory that a signal handler may read.
@unsafe
private struct CrashSlots: @unchecked Sendable {
    @unsafe
    struct Slot {
        var path: UnsafeMutablePointer<CChar>?
        var number: Int64
        /// The thread that got a stack for signal handlers.
        var thread: pthread_t?
    }

    static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]
    static let shared = unsafe CrashSlots()

    let slots: UnsafeMutablePointer<Slot>
    /// The former actions of the signals, in the order of ``signals``.
    let former: UnsafeMutablePointer<sigaction>
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    private init() {
        unsafe slots = .allocate(capacity: CrashNote.limit)
        unsafe slots.initialize(repeating: Slot(path: nil, number: 0, thread: nil), count: CrashNote.limit)
        unsafe former = .allocate(capacity: CrashSlots.signals.count)
        unsafe former.initialize(repeating: sigaction(), count: CrashSlots.signals.count)
        unsafe lock = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        unsafe crashSlots = slots
        for (index, signal) in unsafe CrashSlots.signals.enumerated() {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = noteCrash
            action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
            unsafe sigaction(signal, &action, former + index)
        }
        unsafe formerActions = former
    }

    /// The index of a signal in ``signals``, for the handler, which must not wait for the initializer of a list.
    static func index(_ signal: Int32) -> Int? {
        switch signal {
        case SIGILL: 0
        case SIGTRAP: 1
        case SIGABRT: 2
        case SIGSEGV: 3
        case SIGBUS: 4
        case SIGFPE: 5
        default: nil
        }
    }

    func take(_ path: String) -> Int? {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        for index in 0..<CrashNote.limit where unsafe slots[index].path == nil {
            unsafe slots[index] = Slot(path: strdup(path), number: 0, thread: nil)
            return index
        }
        return nil
    }

    func free(_ slot: Int) {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        let path = unsafe slots[slot].path
        unsafe slots[slot] = Slot(path: nil, number: 0, thread: nil)
        unsafe Glibc.free(path)
    }

    func number(_ slot: Int) -> Int64 { unsafe slots[slot].number }

    func mark(_ slot: Int, _ number: Int64) {
        if number != 0 { unsafe prepareStack(slot) }
        unsafe slots[slot].number = number
    }

    /// Allocates a stack for signal handlers for the thread, because the thread's own stack may be exhausted.
    private func prepareStack(_ slot: Int) {
        let thread = pthread_self()
        guard unsafe slots[slot].thread != thread else { return }
        unsafe slots[slot].thread = thread
        var stack = unsafe stack_t()
        guard unsafe sigaltstack(nil, &stack) == 0, unsafe stack.ss_flags & Int32(SS_DISABLE) != 0 else { return }
        unsafe stack.ss_size = 1 << 16
        unsafe stack.ss_sp = malloc(1 << 16)
        unsafe stack.ss_flags = 0
        unsafe sigaltstack(&stack, nil)
    }
}

/// The slots for the handler, in a plain global, because a handler must not wait for an initializer.
private nonisolated(unsafe) var crashSlots: UnsafeMutablePointer<CrashSlots.Slot>?

/// The actions of the signals before the handler was installed, for the handler.
private nonisolated(unsafe) var formerActions: UnsafeMutablePointer<sigaction>?

/// Writes the notes. Calls only functions that are allowed in signal handlers (signal-safety(7)).
private func noteCrash(_ signal: Int32) {
    if let slots = unsafe crashSlots {
        for index in 0..<16 {
            guard let path = unsafe slots[index].path, unsafe slots[index].number != 0 else { continue }
            let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if file >= 0 {
                unsafe write(file, &slots[index].number, 8)
                close(file)
            }
        }
    }
    // The signal is blocked until this handler returns. Then it has its former action: a program that embeds the library may
    // have a handler of its own.
    if let former = unsafe formerActions, let index = unsafe CrashSlots.index(signal) {
        unsafe sigaction(signal, former + index, nil)
    }
    raise(signal)
}
