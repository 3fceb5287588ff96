public import ByteCoding
import Glibc
public import JSONCoding
import Synchronization
public import SystemIO

/// A stream of text or bytes: standard output, standard error, somebody else who wants them, or memory in tests.
///
/// Writes are collected and go out together, on a terminal at the end of each line. Whoever needs to know that
/// everything arrived calls ``flush()`` and looks at its error: a cursor moves only after that. After an error nothing
/// more is written, and every further call throws the same error.
public final class Output: Sendable {
    public let traits: StreamTraits
    private let state: Mutex<State>

    private struct State {
        let destination: Destination
        var pending: Bytes = []
        var error: OutputError?
    }

    private enum Destination {
        case descriptor(Int32)
        case taker(@Sendable (Bytes) throws(OutputError) -> Void)
        case background(BackgroundWriter<OutputError>)
        case memory
    }

    /// How many bytes are collected before they go out.
    private static let capacity = 32768
    /// How many bytes may wait for the reader of an output that is written in the background.
    private static let patience = 64 << 20

    /// Writes to an open descriptor, which is borrowed and stays open.
    public init(descriptor: Int32, traits: StreamTraits) {
        self.traits = traits
        state = Mutex(State(destination: .descriptor(descriptor)))
    }

    /// Hands over what is written, in whole pieces, to `take`, which must not write here itself.
    public init(traits: StreamTraits, taking take: @escaping @Sendable (Bytes) throws(OutputError) -> Void) {
        self.traits = traits
        state = Mutex(State(destination: .taker(take)))
    }

    /// Writes to another output on a thread of its own: the reader may stand still without holding up whoever writes here.
    /// ``flush()`` does not wait for the reader then; ``finish(within:)`` and ``delivered()`` do.
    public init(inBackground output: Output) {
        traits = output.traits
        let writer = BackgroundWriter(limit: Output.patience, overflow: OutputError.stalled) {
            bytes throws(OutputError) in
            try output.write(bytes)
            try output.flush()
        }
        state = Mutex(State(destination: .background(writer)))
    }

    /// Collects in memory; see ``collected``.
    public init(collecting traits: StreamTraits = .pipe) {
        self.traits = traits
        state = Mutex(State(destination: .memory))
    }

    /// What was written and has not gone out: everything, for output that collects in memory.
    public var collected: Bytes { state.withLock { $0.pending } }

    /// Writes bytes as they are.
    public func write(_ bytes: Bytes) throws(OutputError) {
        try append(bytes)
    }

    /// Writes text as it is, which text of a peer must never be: it belongs into ``write(line:)``.
    public func write(verbatim text: String) throws(OutputError) {
        try append(text.utf8)
    }

    /// Writes text, coloured if the stream wants that, and a line break.
    public func write(line text: StyledText) throws(OutputError) {
        try append(text.rendered(inColor: traits.usesColor).utf8)
        try append(CollectionOfOne(UInt8(ascii: "\n")))
        if traits.isTerminal { try flush() }
    }

    /// Writes several lines.
    public func write(lines: [StyledText]) throws(OutputError) {
        for line in lines { try write(line: line) }
    }

    /// Writes an object on a line of its own.
    public func write(json object: JSONObject) throws(OutputError) {
        try append(object.encoded + Bytes("\n".utf8))
    }

    /// Writes a record of the plain format.
    public func write(
        _ record: PlainRecord, endingWith terminator: PlainRecord.Terminator = .newline
    ) throws(OutputError) {
        try append(record.text(endingWith: terminator).utf8)
    }

    /// Waits until everything written was taken over by the system.
    public func flush() throws(OutputError) {
        try state.withLock { state throws(OutputError) in try Output.flush(&state) }
    }

    /// Waits until everything written was taken over by the system, also in the background. Not for a loop's thread.
    ///
    /// - Parameter patience: How long to wait for the reader; as long as it takes by default.
    public func finish(within patience: Duration? = nil) throws(OutputError) {
        try flush()
        guard let writer = background, let idle = try? Handover<Void>() else { return }
        writer.whenIdle { idle.give(()) }
        idle.take(within: patience)
        try writer.check()
    }

    /// Waits until everything written was taken over by the system, also in the background.
    public func delivered() async throws(OutputError) {
        try flush()
        guard let writer = background else { return }
        await withCheckedContinuation { continuation in writer.whenIdle { continuation.resume() } }
        try writer.check()
    }

    private var background: BackgroundWriter<OutputError>? {
        state.withLock { if case .background(let writer) = $0.destination { writer } else { nil } }
    }

    private func append(_ bytes: some Collection<UInt8>) throws(OutputError) {
        try state.withLock { state throws(OutputError) in
            if let error = state.error { throw error }
            state.pending.append(contentsOf: bytes)
            if state.pending.count >= Output.capacity { try Output.flush(&state) }
        }
    }

    private static func flush(_ state: inout State) throws(OutputError) {
        if let error = state.error { throw error }
        guard !state.pending.isEmpty else { return }
        if case .memory = state.destination { return }
        defer { state.pending.removeAll(keepingCapacity: true) }
        do throws(OutputError) {
            switch state.destination {
            case .descriptor(let descriptor): try Delivery.write(state.pending, to: descriptor)
            case .taker(let take): try take(state.pending)
            case .background(let writer): try writer.put(state.pending)
            case .memory: break
            }
        } catch {
            state.error = error
            throw error
        }
    }
}

/// Why output did not arrive.
public enum OutputError: Error, Hashable, Sendable {
    /// Nobody reads any more: the other end of the pipe is closed.
    case closed
    /// The disk, the quota or the largest size of a file is full.
    case full
    /// The reader takes nothing, or less than there is, and too much waits for it.
    case stalled
    case failed(SystemError)

    /// The error of the write that failed last on this thread.
    static func last() -> OutputError {
        switch errno {
        case EPIPE, ECONNRESET: .closed
        case ENOSPC, EDQUOT, EFBIG: .full
        default: .failed(.last("write the output"))
        }
    }
}

extension Output {
    /// Writes text of our own that may be longer than a screen: on a terminal through a pager, anywhere else as it is.
    public func write(page text: String, environment: [String: String]) throws(OutputError) {
        if traits.isTerminal, let pager = Pager(environment: environment) {
            try flush()
            if pager.show(text, environment: environment) { return }
        }
        try write(verbatim: text)
    }
}

/// A program that shows long text a screen at a time.
struct Pager: Hashable, Sendable {
    /// A line for the shell.
    let command: String

    /// The pager that the user wants: `TACIT_PAGER`, else `PAGER`, else less, if it is there. A variable that is empty, or
    /// `cat`, and a terminal that cannot move its cursor, ask for none.
    init?(environment: [String: String]) {
        guard environment["TERM"] != "dumb" else { return nil }
        // F: short text needs no pager; R: colours; X: what was read stays on the screen.
        let wish = environment["TACIT_PAGER"] ?? environment["PAGER"] ?? "less -FRX"
        guard !wish.isEmpty, wish != "cat" else { return nil }
        command = wish
    }

    /// Shows text until the user has seen enough. False if there is no such program.
    func show(_ text: String, environment: [String: String]) -> Bool {
        var environment = environment
        // SECURITY: the key of the store is no business of another program.
        environment["TACIT_KEY"] = nil
        let ending: Subprocess.Ending
        do throws(SystemError) {
            let process = try ReadingProcess("/bin/sh", ["sh", "-c", command], environment: environment)
            // Who has seen enough closes the pipe.
            try? Delivery.write(Bytes(text.utf8), to: process.input.number)
            ending = try process.finish()
        } catch {
            return false
        }
        // The shell says with these that it could not run the program (POSIX, XCU 2.8.2).
        return ending != .exited(127) && ending != .exited(126)
    }
}
