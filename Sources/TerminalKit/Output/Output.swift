public import ByteCoding
import Glibc
public import JSONCoding
import Synchronization
public import SystemIO

/// A stream of text or bytes: standard output, standard error, a function, or memory in tests. Thread-safe.
///
/// Writes are buffered, on a terminal up to the end of each line. To make sure that all bytes arrived, call ``flush()``
/// and handle its error: a read cursor moves only after that. After an error no more bytes are written, and every
/// further call throws the same error.
public final class Output: Sendable {
    /// The properties of the stream.
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

    /// The size of the buffer in bytes.
    private static let capacity = 32768
    /// The largest number of bytes that may wait for the reader of a background output.
    private static let pendingLimit = 64 << 20

    /// Writes to an open descriptor, which stays open.
    public init(descriptor: Int32, traits: StreamTraits) {
        self.traits = traits
        state = Mutex(State(destination: .descriptor(descriptor)))
    }

    /// Passes the written bytes, in whole pieces, to `take`, which must not write to this output.
    public init(traits: StreamTraits, taking take: @escaping @Sendable (Bytes) throws(OutputError) -> Void) {
        self.traits = traits
        state = Mutex(State(destination: .taker(take)))
    }

    /// Writes to another output on a separate thread, so that a blocked reader does not delay the writer. ``flush()``
    /// does not wait for the reader then; ``finish(within:)`` and ``delivered()`` do.
    public init(inBackground output: Output) {
        traits = output.traits
        let writer = BackgroundWriter(limit: Output.pendingLimit, overflow: OutputError.stalled) {
            bytes throws(OutputError) in
            try output.write(bytes)
            try output.flush()
        }
        state = Mutex(State(destination: .background(writer)))
    }

    /// Collects bytes in memory; see ``collected``.
    public init(collecting traits: StreamTraits = .pipe) {
        self.traits = traits
        state = Mutex(State(destination: .memory))
    }

    /// The buffered bytes: all of them for output that collects in memory.
    public var collected: Bytes { state.withLock { $0.pending } }

    /// Writes bytes.
    ///
    /// - Throws: ``OutputError``.
    public func write(_ bytes: Bytes) throws(OutputError) {
        try append(bytes)
    }

    /// Writes text without escaping. It must not contain text of a peer, which belongs into ``write(line:)``.
    ///
    /// - Throws: ``OutputError``.
    public func write(verbatim text: String) throws(OutputError) {
        try append(text.utf8)
    }

    /// Writes text, with colours if the stream has them, and a line break.
    ///
    /// - Throws: ``OutputError``.
    public func write(line text: StyledText) throws(OutputError) {
        try append { pending in
            text.append(to: &pending, inColor: traits.usesColor)
            pending.append(UInt8(ascii: "\n"))
        }
        if traits.isTerminal { try flush() }
    }

    /// Writes several lines.
    ///
    /// - Throws: ``OutputError``.
    public func write(lines: [StyledText]) throws(OutputError) {
        for line in lines { try write(line: line) }
    }

    /// Writes an object as one line.
    ///
    /// - Throws: ``OutputError``.
    public func write(json object: JSONObject) throws(OutputError) {
        try append(object.encoded + Bytes("\n".utf8))
    }

    /// Writes a record of the plain format.
    ///
    /// - Throws: ``OutputError``.
    public func write(
        _ record: PlainRecord, endingWith terminator: PlainRecord.Terminator = .newline
    ) throws(OutputError) {
        try append(record.text(endingWith: terminator).utf8)
    }

    /// Waits until the system has taken all written bytes.
    ///
    /// - Throws: ``OutputError``.
    public func flush() throws(OutputError) {
        try state.withLock { state throws(OutputError) in try Output.flush(&state) }
    }

    /// Waits until the system has taken all written bytes, also in the background. Must not be called on a loop's
    /// thread.
    ///
    /// - Parameter timeout: The time limit; nil waits without one.
    /// - Throws: ``OutputError``.
    public func finish(within timeout: Duration? = nil) throws(OutputError) {
        try flush()
        guard let writer = background, let idle = try? BlockingResult<Void>() else { return }
        writer.whenIdle { idle.deliver(()) }
        idle.wait(within: timeout)
        try writer.check()
    }

    /// Waits until the system has taken all written bytes, also in the background.
    ///
    /// - Throws: ``OutputError``.
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
        try append { $0.append(contentsOf: bytes) }
    }

    /// Lets `add` append to the buffer, and writes the buffer if it is full.
    private func append(_ add: (inout Bytes) -> Void) throws(OutputError) {
        try state.withLock { state throws(OutputError) in
            if let error = state.error { throw error }
            add(&state.pending)
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

/// The reason why output did not arrive.
public enum OutputError: Error, Hashable, Sendable {
    /// The reader has closed its end of the pipe.
    case closed
    /// The disk, the quota or the size limit of a file is exhausted.
    case full
    /// The reader takes too few bytes, and too many are waiting.
    case stalled
    /// A system call failed.
    case failed(SystemError)

    /// Returns the error of the last failed write on this thread.
    static func last() -> OutputError {
        switch errno {
        case EPIPE, ECONNRESET: .closed
        case ENOSPC, EDQUOT, EFBIG: .full
        default: .failed(.last("write the output"))
        }
    }
}

extension Output {
    /// Writes trusted text that may exceed a screen: on a terminal through a pager, anywhere else directly.
    ///
    /// - Throws: ``OutputError``.
    public func write(page text: String, environment: [String: String]) throws(OutputError) {
        if traits.isTerminal, let pager = Pager(environment: environment) {
            try flush()
            if pager.show(text, environment: environment) { return }
        }
        try write(verbatim: text)
    }
}

/// A program that shows long text one screen at a time.
struct Pager: Hashable, Sendable {
    /// The command line for the shell.
    let command: String

    /// Creates the user's pager: `TACIT_PAGER`, else `PAGER`, else less if it is installed. Returns nil for a variable
    /// that is empty or `cat`, and for a terminal without cursor movement.
    init?(environment: [String: String]) {
        guard environment["TERM"] != "dumb" else { return nil }
        // F: no pager for short text; R: colours; X: the text stays on the screen.
        let choice = environment["TACIT_PAGER"] ?? environment["PAGER"] ?? "less -FRX"
        guard !choice.isEmpty, choice != "cat" else { return nil }
        command = choice
    }

    /// Shows text until the user quits. Returns false if there is no such program.
    func show(_ text: String, environment: [String: String]) -> Bool {
        var environment = environment
        // SECURITY: other programs must not get the key of the store.
        environment["TACIT_KEY"] = nil
        let ending: Subprocess.Ending
        do throws(SystemError) {
            let process = try ReadingProcess("/bin/sh", ["sh", "-c", command], environment: environment)
            // A user who quits closes the pipe.
            try? Delivery.write(Bytes(text.utf8), to: process.input.number)
            ending = try process.finish()
        } catch {
            return false
        }
        // The shell's status if it could not run the program (POSIX, XCU 2.8.2).
        return ending != .exited(127) && ending != .exited(126)
    }
}
