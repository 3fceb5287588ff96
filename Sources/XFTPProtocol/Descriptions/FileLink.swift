import ByteCoding
import SMPProtocol

/// A link with the description of a file: `simplex:/file#/?desc=...`, or the same behind `https://HOST` (smp-agent.md
/// 10.6).
public struct FileLink: Sendable {
    /// The longest link that is read, in bytes. A longer description goes into a redirect.
    public static let maximumText = 1 << 20

    /// The description, for a recipient.
    public let description: FileDescription
    /// The JSON text of the application that made the link.
    public let clientData: String?

    /// Creates a link from its parts.
    public init(description: FileDescription, clientData: String? = nil) {
        self.description = description
        self.clientData = clientData
    }

    /// The link with the scheme `simplex:`.
    public var text: String { text(prefix: "simplex:") }

    /// Returns the link of a web page that opens the application.
    public func webText(host: String) -> String { text(prefix: "https://\(host)") }

    private func text(prefix: String) -> String {
        var items = [QueryString.Item("desc", description.text)]
        if let clientData { items.append(QueryString.Item("data", clientData)) }
        return "\(prefix)/file#/?\(QueryString(items).text)"
    }

    /// Returns true if a text begins like a link to a file.
    public static func begins(_ text: String) -> Bool {
        var reader = TextReader(text)
        return (try? skipBeginning(of: &reader)) != nil
    }

    /// Reads a text that consists of a link. Unknown parameters are ignored.
    ///
    /// - Throws: ``FileDescriptionError``, with ``FileDescriptionError/party`` for the description of a sender.
    public init(text: String) throws(FileDescriptionError) {
        guard text.utf8.count <= FileLink.maximumText else { throw .syntax("length") }
        var reader = TextReader(text)
        let query: QueryString
        do throws(DecodeError) {
            try FileLink.skipBeginning(of: &reader)
            query = try QueryString(text: reader.rest())
        } catch {
            throw .syntax("link")
        }
        guard let description = query["desc"] else { throw .syntax("link") }
        self.description = try FileDescription(text: description)
        guard self.description.party == .recipient else { throw .party }
        clientData = query["data"]
    }

    private static func skipBeginning(of reader: inout TextReader) throws(DecodeError) {
        if reader.skip("https://") {
            _ = try TransportHost(from: &reader)
        } else {
            try reader.expect("simplex:")
        }
        try reader.expect("/file")
        _ = reader.skip("/")
        try reader.expect("#")
        _ = reader.skip("/")
        try reader.expect("?")
    }
}
