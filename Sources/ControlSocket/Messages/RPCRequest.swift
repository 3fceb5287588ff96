public import ByteCoding
public import JSONCoding

/// A request of JSON-RPC 2.0.
public struct RPCRequest: Hashable, Sendable {
    /// What the answer is to carry; nil for a notification, which gets none.
    public let id: JSONValue?
    public let method: String
    public let params: JSONValue?
    /// Fields that the standard does not know.
    public let extensions: JSONObject

    public init(id: JSONValue?, method: String, params: JSONValue?, extensions: JSONObject = [:]) {
        self.id = id
        self.method = method
        self.params = params
        self.extensions = extensions
    }

    /// Reads a line.
    ///
    /// - Throws: ``RPCProblem/parse`` or ``RPCProblem/request``. Batches are not understood.
    public init(decoding line: Bytes) throws(RPCProblem) {
        guard let value = try? JSONValue(decoding: line) else { throw .parse }
        guard var fields = value.object, fields["jsonrpc"]?.string == "2.0", let method = fields["method"]?.string
        else {
            throw .request
        }
        let id = fields["id"], params = fields["params"]
        switch id {
        case nil, .string, .integer, .number, .null: break
        default: throw .request
        }
        guard params == nil || params?.object != nil || params?.array != nil else { throw .request }
        for name in ["jsonrpc", "id", "method", "params"] { fields[name] = nil }
        self.init(id: id, method: method, params: params, extensions: fields)
    }

    /// The request as it is sent.
    public var json: JSONObject {
        var json: JSONObject = ["jsonrpc": "2.0"]
        json["id"] = id
        json.set("method", method)
        json["params"] = params
        return json.merging(extensions)
    }
}

/// What is wrong with a request itself: the codes of JSON-RPC 2.0, section 5.1.
public enum RPCProblem: Int64, Error, Hashable, Sendable {
    case parse = -32700
    case request = -32600
    case method = -32601
    case params = -32602

    /// What the standard calls it.
    public var message: String {
        switch self {
        case .parse: "Parse error"
        case .request: "Invalid Request"
        case .method: "Method not found"
        case .params: "Invalid params"
        }
    }
}
