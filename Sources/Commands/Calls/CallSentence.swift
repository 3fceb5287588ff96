package import ChatCore
import ChatProtocol

extension ChatItem {
    /// A call as this side reads it: who declined, and who was missed. Nil for another entry.
    ///
    /// - Parameter name: The contact, as the name is shown.
    package func callSentence(with name: String) -> String? {
        guard let call = content.call else { return nil }
        let words = "\(call.media.rawValue) call"
        switch (call.state, direction) {
        case (.missed, .sent): return "\(name) did not answer your \(words)"
        case (.missed, _): return "you missed \(name)'s \(words)"
        case (.rejected, .sent): return "\(name) declined your \(words)"
        case (.rejected, _): return "you declined \(name)'s \(words)"
        case (_, .sent): return content.plainText
        default: return "\(name): \(content.plainText)"
        }
    }
}
