import AgentProtocol
import ByteCoding

/// The texts of the commands that take care of connections.
extension CoreCommand {
    /// The text of one of these commands; empty for others.
    var careText: String {
        switch self {
        case .setReceipts(let id?, let isOn, let clears):
            "/_set receipts contacts \(id.number) \(isOn.word)\(clears ? " clear_overrides=on" : "")"
        case .setReceipts(nil, let isOn, let clears):
            "/set receipts contacts \(isOn.word)\(clears ? " clear_overrides=on" : "")"
        case .setAllReceipts(let isOn): "/set receipts all \(isOn.word)"
        case .setContactReceipts(let chat, let isOn): "/_receipts \(chat.text) \(isOn?.word ?? "default")"
        case .switchQueue(let chat): "/_switch \(chat.text)"
        case .abortSwitch(let chat): "/_abort switch \(chat.text)"
        case .synchronize(let chat, let force): "/_sync \(chat.text)\(force ? " force=on" : "")"
        default: ""
        }
    }

    /// Reads what stands behind the first word of one of these commands.
    static func care(_ word: String, from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        switch word {
        case "/_set", "/set": return try receipts(from: &reader, isNumbered: word == "/_set")
        case "/_receipts", "/receipts":
            let chat = try reader.target()
            if reader.skip("default") { return .setContactReceipts(chat, nil) }
            return .setContactReceipts(chat, try reader.isOn())
        case "/_switch", "/switch": return .switchQueue(try reader.target())
        case "/_abort", "/abort":
            try reader.expect("switch")
            return .abortSwitch(try reader.target())
        default:
            let chat = try reader.target()
            return .synchronize(chat, force: reader.skip("force=on"))
        }
    }

    private static func receipts(
        from reader: inout CommandReader, isNumbered: Bool
    ) throws(DecodeError) -> CoreCommand {
        try reader.expect("receipts")
        if !isNumbered, reader.skip("all") { return .setAllReceipts(try reader.isOn()) }
        try reader.expect("contacts")
        let id = isNumbered ? try reader.profileID() : nil
        let isOn = try reader.isOn()
        let clears = reader.skip("clear_overrides=on")
        if !clears { _ = reader.skip("clear_overrides=off") }
        return .setReceipts(id, isOn, clearsContacts: clears)
    }
}

extension Bool {
    fileprivate var word: String { self ? "on" : "off" }
}
