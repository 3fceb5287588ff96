public import ByteCoding
public import JSONCoding

/// The answer to ``ExportStore`` and ``ImportStore``: all of the archive was written or read.
public enum ArchiveReport: String, ChatResponse {
    case exported = "archiveExported"
    case imported = "archiveImported"

    public var type: String { rawValue }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard let report = ArchiveReport(rawValue: type) else { throw .invalid("type") }
        _ = fields.value("archiveErrors")
        self = report
    }

    public var fields: JSONObject { ["archiveErrors": []] }
}
