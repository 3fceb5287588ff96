/// What lies over the path for a while and takes the input. It is no place: it is neither stored nor restored.
public enum Sheet: String, CaseIterable, Hashable, Sendable {
    case profilePicker = "profile-picker"
    case newChat = "new-chat"
    case whatsNew = "whats-new"
    /// Export and import of the store.
    case transfer
    /// Asks for the passcode. It stays when other sheets are closed.
    case unlock
}
