import ChatCore
import TerminalKit

extension EventText {
    /// The sentence as people read it: what it is about is written as it is typed.
    var text: String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .untrusted(let text): UntrustedText(text).singleLine
            case .chat(let chat): chat?.target ?? ""
            case .profile(let profile): profile.name
            case .item(let id): ObjectID.text(id)
            case .server(let server): server.place
            }
        }.joined()
    }

    /// The sentence as it stands in a log: what it is about is named by id.
    ///
    /// - Parameter scrubs: True if names are left out.
    func logged(scrubs: Bool) -> String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .untrusted(let text): UntrustedText(text).singleLine
            case .chat(nil): "an unknown contact"
            case .chat(let chat?):
                scrubs ? chat.objectID : "\(chat.objectID) \(UntrustedText(chat.target).quoted)"
            case .profile(let profile): profile.objectID
            case .item(let id): ObjectID.text(id)
            case .server(let server): server.place
            }
        }.joined()
    }
}
