import ChatCore
import CommandKit

extension Hook {
    /// Returns the hook that a file may be meant to be: one with a suffix (`on-message.sh`), or with a similar name.
    static func closest(to name: String) -> Hook? {
        if let hook = name.split(separator: ".").first.flatMap({ Hook(rawValue: String($0)) }) { return hook }
        return Suggestion.closest(to: name, among: allCases.map(\.rawValue)).first.flatMap(Hook.init)
    }

    /// What it finds in `TACIT_EVENT`.
    var word: String {
        switch self {
        case .onMessage: "message"
        case .onRequest: "request"
        case .onConnected: "connected"
        case .onReceipt: "receipt"
        case .onFile: "file"
        case .onError: "error"
        case .preSend: "send"
        }
    }
}
