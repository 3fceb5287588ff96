public import ByteCoding
public import JSONCoding
import Synchronization
import SystemIO

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
