import CommandKit
import JSONCoding
import TerminalKit

/// What was done with the key of a store.
struct KeyReport: Report {
    enum Deed: String {
        case rekey = "db-rekey"
        case encrypt = "db-encrypt"
        case decrypt = "db-decrypt"
    }

    let deed: Deed
    /// The new file with the new key.
    let keyFile: String?

    static let forms = [
        form, form.renamed("db-encrypt", "A store that was encrypted"),
        form.renamed("db-decrypt", "A store that was decrypted"),
    ]
    private static let form = ReportForm(
        "db-rekey", "A store that got another key", plain: ["encrypted", "key_file"],
        [
            .always("encrypted", .flag, "Whether it is encrypted now"),
            .sometimes("key_file", .text, "Where its new key is"),
        ])

    var json: JSONObject {
        var json = JSONObject(type: deed.rawValue)
        json.set("encrypted", deed != .decrypt)
        json.set("key_file", keyFile)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let line: StyledText =
            switch deed {
            case .rekey: "the store has another key"
            case .encrypt: "the store is encrypted"
            case .decrypt: "the store is not encrypted any more"
            }
        return [line] + (keyFile.map { [StyledText("its key is in \($0)", .muted)] } ?? [])
    }
}
