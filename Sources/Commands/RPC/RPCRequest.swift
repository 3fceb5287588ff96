import ByteCoding
import JSONCoding

/// A request of JSON-RPC 2.0.
struct RPCRequest: Hashable, Sendable {
    /// What the answer is to carry; nil for a notification, which gets none.
    let id: JSONValue?
    let method: String
    let params: JSONValue?

    /// Reads a line.
    ///
    /// - Throws: ``RPCProblem/parse`` or ``RPCProblem/request``. Batches are not understood.
    init(decoding line: Bytes) throws(RPCProblem) {
        guard let value = try? JSONValue(decoding: line) else { throw .parse }
        guard let fields = value.object, fields["jsonrpc"]?.string == "2.0", let method = fields["method"]?.string
        else {
            throw .request
        }
        let id = fields["id"], params = fields["params"]
        switch id {
        case nil, .string, .integer, .number, .null: break
        default: throw .request
        }
        guard params == nil || params?.object != nil || params?.array != nil else { throw .request }
        (self.id, self.method, self.params) = (id, method, params)
    }
}

/// What is wrong with a request itself: the codes of JSON-RPC 2.0, section 5.1.
enum RPCProblem: Int64, Error, Hashable, Sendable {
    case parse = -32700
    case request = -32600
    case method = -32601
    case params = -32602

    /// What the standard calls it.
    var message: String {
        switch self {
        case .parse: "Parse error"
        case .request: "Invalid Request"
        case .method: "Method not found"
        case .params: "Invalid params"
        }
    }
}
