/// A setting that is on or off, and is switched on a page of the settings.
enum SessionSwitch: String, CaseIterable, Sendable {
    /// Of the profile.
    case receipts
    /// Of the configuration.
    case bell, title

    /// What it does.
    var words: String {
        switch self {
        case .receipts: "Send delivery receipts to contacts"
        case .bell: "Ring the terminal bell for new messages and calls"
        case .title: "Show the screen and the unread count in the terminal title"
        }
    }

    /// The new value of a line: `receipts off`, or `receipts` to change the value. Nil for another line.
    func value(_ words: [String], isOn: Bool) -> Bool? {
        guard words.first == rawValue else { return nil }
        switch words.dropFirst() {
        case []: return !isOn
        case ["on"]: return true
        case ["off"]: return false
        default: return nil
        }
    }
}
