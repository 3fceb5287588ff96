import ByteCoding
import ChatCore
import JSONCoding

/// The reason why a call does not reach a store.
enum LibraryError: Error, Hashable {
    /// The controller is none that this library made.
    case unknownController
    /// The store of the controller is closed.
    case closed
    /// The process is a child of the one that opened the store.
    case forked
    /// The system has no descriptor or no thread left.
    case system(String)
    /// The caller did not take its events, and the oldest ones were dropped.
    case eventsDropped(Int)

    static func text(_ error: LibraryError) -> String {
        switch error {
        case .unknownController: "not a controller of this library"
        case .closed: "the store is closed"
        case .forked: "the store was opened before fork, and cannot be used in the child"
        case .system(let reason): reason
        case .eventsDropped(let count): "\(count) events were dropped: chat_recv_msg was not called"
        }
    }

    /// `{"error":{...}}` of the API.
    static func answer(_ error: LibraryError) -> Bytes {
        let inner: JSONObject = ["type": "internalError", "message": .string(text(error))]
        return failure(["type": "error", "errorType": .object(inner)])
    }

    /// The answer to a command for another device, which is not connected.
    static func remoteHost(_ id: Int64) -> Bytes {
        let error: JSONObject = [
            "type": "errorRemoteHost", "rhKey": .object(["type": "id", "remoteHostId": .integer(id)]),
            "remoteHostError": .object(["type": "missing"]),
        ]
        return JSONObject(dictionaryLiteral: ("remoteHostId", .integer(id)), ("error", .object(error))).encoded
    }

    /// `{"error":{...}}` of the API.
    static func failure(_ error: JSONObject) -> Bytes {
        JSONObject(dictionaryLiteral: ("error", .object(error))).encoded
    }

    /// `{"result":{...}}` of the API.
    static func result(_ result: JSONObject) -> Bytes {
        JSONObject(dictionaryLiteral: ("result", .object(result))).encoded
    }
}
