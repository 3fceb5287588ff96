import ByteCoding
import JSONCoding

/// What a server sends: answers, and notifications that belong to a request that is not answered yet.
enum RPCReply {
    /// An answer that all went well.
    static func result(_ result: JSONValue, to id: JSONValue) -> JSONObject {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    /// An answer that something failed.
    ///
    /// - Parameter id: Null if the request was too broken to have one.
    static func error(_ code: Int64, _ message: String, data: JSONValue? = nil, to id: JSONValue) -> JSONObject {
        var error: JSONObject = ["code": .integer(code), "message": .string(message)]
        error["data"] = data
        return ["jsonrpc": "2.0", "id": id, "error": .object(error)]
    }

    /// An answer that the request itself is wrong.
    static func problem(_ problem: RPCProblem, data: JSONValue? = nil, to id: JSONValue?) -> JSONObject {
        error(problem.rawValue, problem.message, data: data, to: id ?? .null)
    }

    /// Something that wants no answer.
    static func notification(_ method: String, _ params: JSONObject) -> JSONObject {
        ["jsonrpc": "2.0", "method": .string(method), "params": .object(params)]
    }
}
