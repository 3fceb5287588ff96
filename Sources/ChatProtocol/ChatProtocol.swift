/// The messages of SimpleX chat, as the two ends of a connection encrypt them for each other: JSON and values.
///
/// - What the agent delivers is read by ``ChatPayload/elements(of:)``: one message, a batch, a compressed one, or a
///   piece of a file. Each ``ChatElement`` is good or bad by itself and keeps its bytes.
/// - A ``ChatMessage`` is the range of versions its sender speaks, an id, and an event: a ``MessageContainer`` (what
///   people write), a ``Profile``, a ``ContactRequest`` and so on. Events and fields that are not known here are kept as
///   ``JSONValue`` and written again as they came.
/// - ``ChatPayload`` also makes what the agent sends: batches, compression, and the limits of ``ChatLimit``.
/// - ``ContactLinkContent`` and ``GroupLinkContent`` are what short links show to whoever opens them.
/// - ``AgreedChatVersion`` is what two clients may use with each other; ``SecurityCode`` is what they compare to know
///   that nobody is between them.
///
/// Bytes come from peers: nothing here traps on them, and reading takes time in proportion to them.
///
/// ```swift
/// for element in ChatPayload.elements(of: body) {
///     if case .success(.message(let message)) = element.content, case .message(let container) = message.event {
///         show(container.content.text)
///     }
/// }
/// ```
public import ByteCoding

/// The versions of the chat protocol. A version is a promise about what its sender understands.
public enum ChatVersion {
    /// What this program announces. The range ends where the next version obliges to something that is not done here:
    /// 17 and more are about channels and group keys.
    public static let supported = VersionRange(1, 16)
    /// What a message speaks that names no range.
    public static let initial = VersionRange(1)

    /// Zstandard compression and post-quantum encryption.
    public static let compression: UInt16 = 8
    /// Arrays of messages between two contacts.
    public static let batches: UInt16 = 9
}

/// Sizes in bytes, unless something else is said.
public enum ChatLimit {
    /// One message or one batch, encoded.
    public static let message = 15602
    /// The same on a connection with post-quantum encryption, whose larger headers leave less room.
    public static let postQuantumMessage = 13380
    /// The message in the handshake of a connection.
    public static let handshake = 14694
    /// The same on a connection with post-quantum encryption.
    public static let postQuantumHandshake = 10968
    /// All that a compressed payload holds.
    public static let decompressed = 65536
    /// What a link shows, before it is compressed. How much of it there may be is up to the record of the link.
    public static let plainLinkContent = 10240
    /// How many elements a payload may have.
    public static let elements = 255
}
