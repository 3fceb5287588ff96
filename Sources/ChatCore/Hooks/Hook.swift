/// A program of the user that is told of something: the name of its file says of what.
public enum Hook: String, CaseIterable, Sendable {
    case onMessage = "on-message"
    case onRequest = "on-request"
    case onConnected = "on-connected"
    case onReceipt = "on-receipt"
    case onFile = "on-file"
    case onError = "on-error"
    case preSend = "pre-send"
}

/// A hook that an event calls, and what it is told.
public struct HookTrigger: Hashable, Sendable {
    public let hook: Hook
    public let subject: Subject

    public enum Subject: Hashable, Sendable {
        /// An entry of a conversation.
        case item(LocatedItem)
        /// How far an own message has come.
        case delivery(LocatedItem)
        /// The event itself, by its notice.
        case event
    }

    init(_ hook: Hook, _ subject: Subject = .event) {
        self.hook = hook
        self.subject = subject
    }
}
