import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// A command that the official agent has accepted and not finished.
enum OfficialCommand {
    /// Allow the joiner, with the own connection information.
    case allow(Bytes)
    /// Acknowledge a message; true if the sender gets a receipt.
    case acknowledge(Int64, confirms: Bool)
    /// Join with a link.
    case join(ConnectionRequest, information: Bytes, postQuantum: Bool)
    /// Let the other side into the reply queue.
    case secureReply(AuthorizationKey)
    /// Let the other side into the queue that replaces another.
    case secureNext(AuthorizationKey)
    case switchQueue
    case delete
    /// Make a queue and a link, for a purpose that the application knows.
    case create
    /// What the state of the queues says too.
    case other
}

extension OfficialAgent {
    func commands(of id: Bytes) throws(StoreError) -> [OfficialCommand] {
        let condition = try tables.has("failed", in: "commands") ? "AND coalesce(failed, 0) = 0" : ""
        return try tables.rows("command", from: "commands", "WHERE conn_id = ? \(condition) ORDER BY command_id", id) {
            row throws(StoreError) in
            let bytes = try row.foreignBytes()
            guard let command = OfficialCommand(bytes) else { throw StoreError(.damaged) }
            return command
        }
    }
}

extension OfficialCommand {
    /// Reads words behind spaces, the last of which may be bytes behind their length and a line break.
    init?(_ bytes: Bytes) {
        var words = Words(rest: bytes[...])
        switch (words.next(), words.next()) {
        case ("CLIENT", "LET"):
            guard words.next() != nil, let information = words.bytes() else { return nil }
            self = .allow(information)
        case ("CLIENT", "ACK"):
            guard let number = words.next().flatMap({ Int64($0) }) else { return nil }
            let confirms = !words.rest.isEmpty
            if confirms, words.bytes() == nil { return nil }
            self = .acknowledge(number, confirms: confirms)
        case ("CLIENT", "JOIN"):
            guard words.next() != nil, let link = words.next(), let request = try? ConnectionRequest(text: link) else {
                return nil
            }
            var isPostQuantum = false
            // The use of the KEM and the mode of subscriptions came with later versions.
            while let word = words.peek(), !word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                if word == "pq=enable" { isPostQuantum = true }
                _ = words.next()
            }
            guard let information = words.bytes() else { return nil }
            self = .join(request, information: information, postQuantum: isPostQuantum)
        case ("CLIENT", "SWCH"): self = .switchQueue
        case ("CLIENT", "DEL"): self = .delete
        case ("CLIENT", "NEW"): self = .create
        case ("INTERNAL", "DUPLEX_SECURE"):
            guard let key = words.key() else { return nil }
            self = .secureReply(key)
        case ("INTERNAL", "QSECURE"):
            guard let key = words.key() else { return nil }
            self = .secureNext(key)
        case ("INTERNAL", let name?) where OfficialCommand.impliedNames.contains(name): self = .other
        default: return nil
        }
    }

    private static let impliedNames: Set = [
        "ACK", "ACK_DEL", "ALLOW_SECURE", "DELETE_CONN", "DELETE_RCV_QUEUE", "QDELETE",
    ]

    private struct Words {
        var rest: ArraySlice<UInt8>

        /// The next word without taking it: up to a space or a line break.
        func peek() -> String? {
            let word = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
            return word.isEmpty ? nil : String(validating: word, as: UTF8.self)
        }

        mutating func next() -> String? {
            guard let word = peek() else { return nil }
            rest = rest.dropFirst(word.utf8.count)
            if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
            return word
        }

        /// The rest as bytes behind their length and a line break.
        mutating func bytes() -> Bytes? {
            guard let count = next().flatMap({ Int($0) }), rest.first == UInt8(ascii: "\n") else { return nil }
            let bytes = Bytes(rest.dropFirst())
            rest = []
            return bytes.count == count ? bytes : nil
        }

        /// The key behind the id of a queue.
        mutating func key() -> AuthorizationKey? {
            guard next() != nil, let text = next(), let der = try? Base64URL.decode(text) else { return nil }
            return try? AuthorizationKey(der: der)
        }
    }
}
