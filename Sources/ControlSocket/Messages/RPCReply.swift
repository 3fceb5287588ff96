public import ByteCoding
public import JSONCoding

/// What a server sends: answers, and notifications that belong to a request that is not answered yet.
public enum RPCReply {
    /// An answer that all went well.
    public static func result(_ result: JSONValue, to id: JSONValue) -> JSONObject {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    /// An answer that something failed.
    ///
    /// - Parameter id: Null if the request was too broken to have one.
    public static func error(_ code: Int64, _ message: String, data: JSONValue? = nil, to id: JSONValue) -> JSONObject {
        var error: JSONObject = ["code": .integer(code), "message": .string(message)]
        error["data"] = data
        return ["jsonrpc": "2.0", "id": id, "error": .object(error)]
    }

    /// An answer that the request itself is wrong.
    public static func problem(_ problem: RPCProblem, data: JSONValue? = nil, to id: JSONValue?) -> JSONObject {
        error(problem.rawValue, problem.message, data: data, to: id ?? .null)
    }

    /// The text of a long output in pieces, each of which fits into a line: an escaped character takes six bytes.
    public static func pieces(of bytes: Bytes) -> [String] {
        var pieces: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var end = min(rest.startIndex + LineSplitter.limit / 8, rest.endIndex)
            // Not in the middle of a character.
            if end < rest.endIndex, let start = rest[..<end].suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }),
                rest[end] & 0xC0 == 0x80
            {
                end = start
            }
            pieces.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return pieces
    }

    /// Something that wants no answer.
    public static func notification(_ method: String, _ params: JSONObject) -> JSONObject {
        ["jsonrpc": "2.0", "method": .string(method), "params": .object(params)]
    }
}

/// A message as the other end of a connection reads it.
public enum RPCMessage: Hashable, Sendable {
    case result(JSONValue, id: JSONValue)
    case error(code: Int64, message: String, data: JSONValue?, id: JSONValue)
    case notification(method: String, JSONObject)

    /// Reads a line; nil if it is none of these.
    public init?(decoding line: Bytes) {
        guard let fields = (try? JSONValue(decoding: line))?.object else { return nil }
        if let method = fields["method"]?.string {
            self = .notification(method: method, fields["params"]?.object ?? [:])
        } else if let id = fields["id"], let result = fields["result"] {
            self = .result(result, id: id)
        } else if let id = fields["id"], let error = fields["error"]?.object, let code = error["code"]?.integer {
            self = .error(code: code, message: error["message"]?.string ?? "", data: error["data"], id: id)
        } else {
            return nil
        }
    }
}
