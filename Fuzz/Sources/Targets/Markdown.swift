import ByteCoding
import ChatCore
import ChatProtocol

extension FuzzTarget {
    /// The marks, links and addresses in texts of contacts.
    static let markdown = FuzzTarget(name: "markdown") { input in
        let text = String(decoding: input, as: UTF8.self)
        if let parts = FormattedText.parts(of: text) {
            promise(parts.allSatisfy { !$0.text.isEmpty }, "an empty part")
            promise(zip(parts, parts.dropFirst()).allSatisfy { $0.format != $1.format }, "two parts of one format")
            // Marks are left out, and nothing else is added.
            var rest = text.unicodeScalars[...]
            for scalar in parts.flatMap({ Array($0.text.unicodeScalars) }) {
                guard let place = rest.firstIndex(of: scalar) else {
                    return promise(false, "a part is not in the text")
                }
                rest = rest[rest.index(after: place)...]
            }
        }
        if let address = try? WebAddress(text: text) {
            for isCautious in [false, true] {
                guard let sanitized = address.sanitized(isCautious: isCautious) else { continue }
                let again = try? WebAddress(text: sanitized)
                promise(again != nil && again?.sanitized(isCautious: isCautious) == nil, "not sanitized: \(sanitized)")
            }
        }
    }
}
