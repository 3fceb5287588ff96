public import ByteCoding
import CryptoCore
public import JSONCoding

extension ChatFile: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            id: ChatFileID(try fields.integer("fileId")), name: try fields.text("fileName"),
            size: try fields.integer("fileSize"), source: try fields.optional("fileSource"),
            transport: try fields.word("fileProtocol", Transport.init(rawValue:)),
            state: try fields.required("fileStatus"))
    }

    /// `CIFile` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["fileId": .integer(id.number), "fileName": .string(name), "fileSize": .integer(size)]
        fields.set("fileSource", source)
        fields["fileStatus"] = state.json
        fields["fileProtocol"] = .string(transport.rawValue)
        return fields
    }
}

extension CryptoFile: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(path: try fields.text("filePath"), key: try fields.optional("cryptoArgs"))
    }

    /// `CryptoFile` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["filePath": .string(path)]
        fields.set("cryptoArgs", key)
        return fields
    }
}

extension LocalFileKey: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard let key = try fields.optionalBytes("fileKey"), let nonce = try fields.optionalBytes("fileNonce") else {
            throw .invalid("cryptoArgs")
        }
        try self.init(key: Secret(copying: key), nonce: nonce)
    }

    /// `CryptoFileArgs` of the API.
    public var fields: JSONObject {
        [
            "fileKey": .string(Base64URL.encode(key.copyBytes())),
            "fileNonce": .string(Base64URL.encode(nonce.bytes)),
        ]
    }
}

extension FileState {
    /// The word of the API, which is stored too.
    var word: String {
        switch self {
        case .sentStored: "sndStored"
        case .sending: "sndTransfer"
        case .sentCancelled: "sndCancelled"
        case .sentComplete: "sndComplete"
        case .sentError: "sndError"
        case .sentWarning: "sndWarning"
        case .offered: "rcvInvitation"
        case .accepted: "rcvAccepted"
        case .receiving: "rcvTransfer"
        case .aborted: "rcvAborted"
        case .received: "rcvComplete"
        case .receivedCancelled: "rcvCancelled"
        case .receivedError: "rcvError"
        case .receivedWarning: "rcvWarning"
        }
    }

    /// The transferred bytes, and all of them; nil if nothing is transferred.
    var progress: (done: Int64, total: Int64)? {
        switch self {
        case .sending(let done, let total), .receiving(let done, let total): (done, total)
        default: nil
        }
    }

    /// The state of a word, with what belongs to it; nil for another word.
    init?(word: String, done: Int64, total: Int64, problem: FileProblem?) {
        switch word {
        case "sndStored": self = .sentStored
        case "sndTransfer": self = .sending(done, total: total)
        case "sndCancelled": self = .sentCancelled
        case "sndComplete": self = .sentComplete
        case "sndError": self = .sentError(problem ?? .other(""))
        case "sndWarning": self = .sentWarning(problem ?? .other(""))
        case "rcvInvitation": self = .offered
        case "rcvAccepted": self = .accepted
        case "rcvTransfer": self = .receiving(done, total: total)
        case "rcvAborted": self = .aborted
        case "rcvComplete": self = .received
        case "rcvCancelled": self = .receivedCancelled
        case "rcvError": self = .receivedError(problem ?? .other(""))
        case "rcvWarning": self = .receivedWarning(problem ?? .other(""))
        default: return nil
        }
    }
}

extension FileState: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let word = try fields.text("type")
        let sent = try fields.optionalInteger("sndProgress"), sentTotal = try fields.optionalInteger("sndTotal")
        let received = try fields.optionalInteger("rcvProgress"), receivedTotal = try fields.optionalInteger("rcvTotal")
        let sentProblem: FileProblem? = try fields.optional("sndFileError")
        let receivedProblem: FileProblem? = try fields.optional("rcvFileError")
        let state = FileState(
            word: word, done: sent ?? received ?? 0, total: sentTotal ?? receivedTotal ?? 0,
            problem: sentProblem ?? receivedProblem)
        guard let state else {
            throw .invalid("fileStatus")
        }
        self = state
    }

    /// `CIFileStatus` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["type": .string(word)]
        switch self {
        case .sending(let done, let total):
            fields.set("sndProgress", done)
            fields.set("sndTotal", total)
        case .receiving(let done, let total):
            fields.set("rcvProgress", done)
            fields.set("rcvTotal", total)
        case .sentError(let problem), .sentWarning(let problem): fields["sndFileError"] = problem.json
        case .receivedError(let problem), .receivedWarning(let problem): fields["rcvFileError"] = problem.json
        default: break
        }
        return fields
    }
}

extension FileProblem: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "auth": self = .gone
        case "blocked":
            var info = try fields.object("blockInfo")
            self = .blocked(server: try fields.text("server"), reason: try info.text("reason"))
        case "noFile": self = .noFile
        case "relay":
            var error = try fields.object("srvError")
            self = .relay(try error.text("srvError"))
        case "other": self = .other(try fields.text("fileError"))
        default: throw .invalid("fileError")
        }
    }

    /// `FileError` of the API.
    public var fields: JSONObject {
        switch self {
        case .gone: ["type": "auth"]
        case .blocked(let server, let reason):
            ["type": "blocked", "server": .string(server), "blockInfo": .object(["reason": .string(reason)])]
        case .noFile: ["type": "noFile"]
        case .relay(let reason):
            ["type": "relay", "srvError": .object(["type": "other", "srvError": .string(reason)])]
        case .other(let code): ["type": "other", "fileError": .string(code)]
        }
    }

    /// `AgentErrorType` of the API, and the problem as it is.
    var agentError: JSONValue {
        var fields: JSONObject =
            switch self {
            case .gone, .blocked: ["type": "XFTP", "serverAddress": "", "xftpErr": .object(["type": "AUTH"])]
            case .noFile: ["type": "FILE", "fileErr": .object(["type": "NO_FILE"])]
            case .relay: ["type": "BROKER", "brokerAddress": "", "brokerErr": .object(["type": "TIMEOUT"])]
            case .other(let code):
                ["type": "FILE", "fileErr": .object(["type": "FILE_IO", "fileIOError": .string(code)])]
            }
        fields["problem"] = json
        return .object(fields)
    }

    /// Reads an `AgentErrorType` that this program wrote.
    init(agentError fields: inout JSONFields) throws(DecodeError) {
        self = try fields.required("problem")
    }
}
