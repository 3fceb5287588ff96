import ByteCoding
import ChatCore
import ChatProtocol

/// A page in HTML about a channel. It needs no script, and loads nothing.
///
/// SECURITY: everything in it comes from members of the channel: each text is escaped, and only known kinds of links and pictures
/// are shown.
struct ChannelPage {
    private let preview: ChannelPreview
    private let time: Timestamp

    init(_ preview: ChannelPreview, at time: Timestamp) {
        self.preview = preview
        self.time = time
    }

    var html: String {
        let profile = preview.profile, title = ChannelPage.escaped(profile.displayName)
        var body: [String] = []
        if let picture = ChannelPage.picture(profile.image, "picture") { body.append(picture) }
        body.append("<h1>\(title)</h1>")
        if let text = profile.shortDescription { body.append("<p>\(ChannelPage.formatted(text))</p>") }
        if let text = profile.welcome { body.append("<p>\(ChannelPage.formatted(text))</p>") }
        var facts = preview.subscribers.map { ["\($0) members"] } ?? []
        if !preview.owners.isEmpty {
            facts.append("owned by " + preview.owners.map { ChannelPage.escaped($0.name) }.joined(separator: ", "))
        }
        body.append("<p class=\"facts\">\(facts.joined(separator: "; "))</p>")
        if let link = (profile.publicGroup?.link).flatMap(ChannelPage.address) {
            body.append("<p><a rel=\"noopener noreferrer\" href=\"\(link)\">Join the channel</a></p>")
        }
        body += preview.messages.map(article)
        body.append("<p class=\"facts\">Updated \(ChannelPage.escaped(time.description))</p>")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <style>\(ChannelPage.style)</style>
            </head>
            <body>
            \(body.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static let style = """
        body{font-family:sans-serif;max-width:40em;margin:2em auto;padding:0 1em;line-height:1.5}\
        article{border-top:1px solid #999;padding:.7em 0;overflow-wrap:anywhere;white-space:pre-wrap}\
        blockquote{border-left:3px solid #999;margin:0 0 .5em;padding-left:.7em}\
        img{max-width:100%;display:block}img.picture{width:6em;border-radius:50%}\
        .facts,time{color:#666;font-size:.9em}b.name{margin-right:.7em}
        """

    private func article(_ message: ChannelPreview.Message) -> String {
        var parts: [String] = []
        if let author = message.author { parts.append("<b class=\"name\">\(ChannelPage.escaped(author.name))</b>") }
        let time = ChannelPage.escaped(message.time.description)
        parts.append("<time datetime=\"\(time)\">\(time)</time>\(message.isEdited ? " <i>edited</i>" : "")\n")
        if message.isForwarded { parts.append("<i>forwarded</i>\n") }
        if let quote = message.quote {
            parts.append("<blockquote>\(ChannelPage.formatted(quote.content.text))</blockquote>")
        }
        switch message.content.kind {
        case .image(let preview), .video(let preview, _):
            if let picture = ChannelPage.picture(preview) { parts.append(picture) }
        case .link(let link):
            let title = ChannelPage.escaped(link.title)
            parts.append(ChannelPage.address(link.uri).map { ChannelPage.link(to: $0, title) } ?? title)
            parts.append("\n")
        case .voice(let seconds): parts.append("Voice message of \(seconds) s\n")
        case .text, .file, .report, .chat, .unknown: break
        }
        if let file = message.file {
            parts.append("File \(ChannelPage.escaped(file.name)), \(file.size) bytes\n")
        }
        parts.append(ChannelPage.formatted(message.content.text))
        return "<article>\(parts.joined())</article>"
    }

    // MARK: - Texts

    /// A text with its marks.
    static func formatted(_ text: String) -> String {
        guard let parts = FormattedText.parts(of: text) else { return escaped(text) }
        return parts.map { part in
            let inner = escaped(part.text)
            return switch part.format {
            case .bold: "<b>\(inner)</b>"
            case .italic: "<i>\(inner)</i>"
            case .strikeThrough: "<s>\(inner)</s>"
            case .snippet: "<code>\(inner)</code>"
            case .small: "<small>\(inner)</small>"
            case .secret: "<details><summary>…</summary>\(inner)</details>"
            case .uri: address(part.text).map { link(to: $0, inner) } ?? inner
            case .hyperLink(let shown, let uri): address(uri).map { link(to: $0, escaped(shown)) } ?? inner
            case .simplexLink(let target, let shown):
                address(target.uri).map { link(to: $0, shown.map(escaped) ?? inner) } ?? inner
            case .colored, .simplexName, .command, .mention, .email, .phone, nil: inner
            }
        }.joined()
    }

    private static func link(to address: String, _ shown: String) -> String {
        "<a rel=\"nofollow noopener noreferrer\" href=\"\(address)\">\(shown)</a>"
    }

    /// An address of a page or of a conversation as an attribute; nil for any other.
    static func address(_ text: String) -> String? {
        let lower = text.lowercased()
        let known = ["https://", "http://", "simplex:/"]
        if known.contains(where: lower.hasPrefix) { return escaped(text) }
        // A web address may be written without its scheme.
        let host = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard host.contains("."), !host.contains(":"), !host.contains("@") else { return nil }
        return escaped("https://\(text)")
    }

    /// A picture; nil for a text that is no data URI of a known kind.
    private static func picture(_ uri: String?, _ kind: String = "") -> String? {
        guard let uri,
            let start = ["data:image/jpg;base64,", "data:image/jpeg;base64,", "data:image/png;base64,"].first(
                where: uri.hasPrefix),
            uri.dropFirst(start.count).utf8.allSatisfy({ byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || Array("+/=".utf8).contains(byte)
            })
        else { return nil }
        return "<img class=\"\(kind)\" alt=\"\" src=\"\(uri)\">"
    }

    /// A text without markup, control characters, and marks that turn the direction of other texts.
    static func escaped(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { scalar in
            switch scalar {
            case "\n": true
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": false
            default: true
            }
        }
        return HTMLText.escaped(String(String.UnicodeScalarView(visible)))
    }
}
