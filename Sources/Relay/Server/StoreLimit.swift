/// A limit for the whole relay.
public enum StoreLimit: String, CaseIterable, Hashable, Sendable {
    /// The number of queues (`queues` in relay.conf).
    case queues
    /// The number of waiting messages (`messages`).
    case messages
    /// The size of the database (`store_megabytes`).
    case size

    /// Its name in relay.conf.
    public var setting: String {
        switch self {
        case .queues: "queues"
        case .messages: "messages"
        case .size: "store_megabytes"
        }
    }
}
