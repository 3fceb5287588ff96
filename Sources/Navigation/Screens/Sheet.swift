/// A temporary view over the path that takes the input. It is neither stored nor restored.
public enum Sheet: String, CaseIterable, Hashable, Sendable {
    /// The choice of a profile.
    case profilePicker = "profile-picker"
    /// The start of a new conversation.
    case newChat = "new-chat"
    /// The changes of a new version.
    case whatsNew = "whats-new"
    /// The export and import of the store.
    case transfer
    /// An unfinished migration, before the store is open.
    case migrate
    /// The passcode prompt, which stays when other sheets are closed.
    case unlock
}
