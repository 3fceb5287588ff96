public import ByteCoding
import ChatProtocol
public import JSONCoding

extension SentFileTransfer: JSONObjectCodable {
    /// The size of the pieces of files that old versions sent in messages. The API wants one of every file.
    static let chunkSize: Int64 = 15780

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            id: ChatFileID(try fields.integer("fileId")), name: try fields.text("fileName"),
            path: try fields.text("filePath"), size: try fields.integer("fileSize"),
            isCancelled: try fields.bool("cancelled"))
    }

    /// `FileTransferMeta` of the API.
    public var fields: JSONObject {
        [
            "fileId": .integer(id.number), "fileName": .string(name), "filePath": .string(path),
            "fileSize": .integer(size), "chunkSize": .integer(SentFileTransfer.chunkSize),
            "cancelled": .bool(isCancelled),
        ]
    }
}

extension ReceivedFileTransfer: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var invitation = try fields.object("fileInvitation"), status = try fields.object("fileStatus")
        let stage = try status.word("type", Stage.init(rawValue:))
        let accepted = try status.optionalText("filePath"), cancelled = try status.optionalText("filePath_")
        let key: LocalFileKey? = try fields.optional("cryptoArgs")
        var source: CryptoFile?
        if let path = accepted ?? cancelled { source = CryptoFile(path: path, key: key) }
        self.init(
            id: ChatFileID(try fields.integer("fileId")), name: try invitation.text("fileName"),
            size: try invitation.integer("fileSize"), source: source, stage: stage,
            sender: try fields.text("senderDisplayName"),
            isApproved: try fields.optionalBool("userApprovedRelays") ?? false)
    }

    /// `RcvFileTransfer` of the API.
    public var fields: JSONObject {
        var status: JSONObject = ["type": .string((source == nil && stage != .cancelled ? Stage.new : stage).rawValue)]
        if let source {
            status[stage == .cancelled ? "filePath_" : "filePath"] = .string(source.path)
        }
        var fields: JSONObject = [
            "fileId": .integer(id.number), "fileType": "normal",
            "fileInvitation": .object(["fileName": .string(name), "fileSize": .integer(size)]),
            "fileStatus": .object(status), "senderDisplayName": .string(sender),
            "chunkSize": .integer(SentFileTransfer.chunkSize), "cancelled": .bool(stage == .cancelled),
        ]
        fields.set("cryptoArgs", source?.key)
        // The official core has it with the description, whose keys are nobody's business.
        if isApproved { fields["userApprovedRelays"] = true }
        return fields
    }
}

extension DescriptionPart {
    /// `RcvFileDescr` of the API.
    func json(of id: ChatFileID) -> JSONValue {
        .object([
            "fileDescrId": .integer(id.number), "fileDescrText": .string(text), "fileDescrPartNo": .integer(part),
            "fileDescrComplete": .bool(isComplete),
        ])
    }
}
