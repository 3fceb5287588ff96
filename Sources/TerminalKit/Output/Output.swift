public import ByteCoding
public import JSONCoding
import Synchronization
import SystemIO

/// A stream of text or bytes: standard output, standard error, or memory in tests.
///
/// Writes are collected and go out together, on a terminal at the end of each line. Whoever needs to know that
/// everything arrived calls ``flush()`` and looks at its error: a cursor moves only after that. After an error nothing
/// more is written, and every further call throws the same error.
public final class Output: Sendable {
    public let traits: StreamTraits
    private let state: Mutex<State>

    private struct State {
        /// nil for memory.
        let descriptor: Int32?
        var pending: Bytes = []
        var error: OutputError?
    }

    /// How many bytes are collected before they go out.
    private static let capacity = 32768

    /// Writes to an open descriptor, which is borrowed and stays open.
    public init(descriptor: Int32, traits: StreamTraits) {
        self.traits = traits
        state = Mutex(State(descriptor: descriptor))
    }

    /// Collects in memory; see ``collected``.
    public init(collecting traits: StreamTraits = .pipe) {
        self.traits = traits
        state = Mutex(State(descriptor: nil))
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

    private func append(_ bytes: some Collection<UInt8>) throws(OutputError) {
        try state.withLock { state throws(OutputError) in
            if let error = state.error { throw error }
            state.pending.append(contentsOf: bytes)
            if state.pending.count >= Output.capacity { try Output.flush(&state) }
        }
    }

    private static func flush(_ state: inout State) throws(OutputError) {
        if let error = state.error { throw error }
        guard let descriptor = state.descriptor, !state.pending.isEmpty else { return }
        defer { state.pending.removeAll(keepingCapacity: true) }
        do throws(OutputError) {
            try Delivery.write(state.pending, to: descriptor)
        } catch {
            state.error = error
            throw error
        }
    }
}
