import CommandKit
import JSONCoding
import TerminalKit

/// What was done with the key of a store.
struct KeyReport: Report {
    enum Action: String, CaseIterable {
        case rekey = "db-rekey"
        case encrypt = "db-encrypt"
        case decrypt = "db-decrypt"

        var abstract: String {
            switch self {
            case .rekey: "A store with a new key"
            case .encrypt: "A newly encrypted store"
            case .decrypt: "A newly decrypted store"
            }
        }
    }

    let action: Action
    /// The new file with the new key.
    let keyFile: String?

    static let forms: [ReportForm] = Action.allCases.flatMap { forms(of: $0) }

    /// The form of one command.
    static func forms(of action: Action) -> [ReportForm] { [form.renamed(action.rawValue, action.abstract)] }

    private static let form = ReportForm(
        Action.rekey.rawValue, Action.rekey.abstract, plain: ["encrypted", "key_file"],
        [
            .always("encrypted", .flag, "True if the store is encrypted now"),
            .sometimes("key_file", .text, "Path of the new key file"),
        ])

    var json: JSONObject {
        var json = JSONObject(type: action.rawValue)
        json.set("encrypted", action != .decrypt)
        json.set("key_file", keyFile)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let line: StyledText =
            switch action {
            case .rekey: "the store has a new key"
            case .encrypt: "the store is encrypted"
            case .decrypt: "the store is not encrypted now"
            }
        return [line] + (keyFile.map { [StyledText("the key is in \($0)", .muted)] } ?? [])
    }
}
