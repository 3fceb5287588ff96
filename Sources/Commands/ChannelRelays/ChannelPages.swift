import ByteCoding
import ChatCore
import JSONCoding
import SystemIO

/// The files about served channels in a folder for a web server: `ID.html` and `ID.json`.
final class ChannelPages {
    private let folder: String
    /// What was written last, by the ids of the channels.
    private var written: [String: ChannelPreview] = [:]

    /// Nil if the settings name no folder.
    ///
    /// - Parameter folder: The folder of the chat relay.
    init?(_ settings: ChannelRelaySettings, in folder: String) {
        guard let path = settings.webFolder else { return nil }
        self.folder = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }

    /// Writes the files of changed channels, and removes those of channels that the relay no longer serves.
    func write(_ served: [ChannelPreview]) throws {
        var previews: [String: ChannelPreview] = [:]
        for preview in served {
            if let name = preview.name { previews[name] = preview }
        }
        let now = Timestamp(milliseconds: SystemClock.milliseconds())
        for (name, preview) in previews where written[name] != preview {
            let json = JSONValue.object(preview.json(at: now)).line
            try Files.replace("\(folder)/\(name).json", Bytes(json.utf8), durably: false, isPublic: true)
            let page = ChannelPage(preview, at: now).html
            try Files.replace("\(folder)/\(name).html", Bytes(page.utf8), durably: false, isPublic: true)
        }
        for file in try Files.names(in: folder) {
            guard let name = ChannelPages.channel(of: file), previews[name] == nil else { continue }
            try Files.remove("\(folder)/\(file)")
        }
        written = previews
    }

    /// The id of the channel that a file is about; nil for other files, which are not touched.
    private static func channel(of file: String) -> String? {
        guard let dot = file.lastIndex(of: "."), file[dot...] == ".html" || file[dot...] == ".json" else { return nil }
        let name = String(file[..<dot])
        return (try? Base64URL.decode(name))?.count == 32 ? name : nil
    }
}
