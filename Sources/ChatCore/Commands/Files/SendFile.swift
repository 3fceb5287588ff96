import ByteCoding
import ChatProtocol

/// Sends a file, or a picture with a placeholder for its preview. (`/f @name PATH`, `/f * PATH`, `/img @name PATH`)
public struct SendFile: ChatCommand {
    /// Nil for the notes of the active profile.
    public var chat: ChatTarget?
    public var path: String
    public var isImage: Bool

    public init(_ path: String, to chat: ChatTarget?, isImage: Bool = false) {
        self.chat = chat
        self.path = path
        self.isImage = isImage
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        [("/f", false), ("/file", false), ("/img", true), ("/image", true)].flatMap { words, isImage in
            [
                Form(
                    "\(words) *", .absent(\.chat), .fixed(isImage, \.isImage), .words("path", \.path),
                    make: { Self($2, to: $0, isImage: $1) }),
                Form(
                    words, .presentPerson(\.chat), .fixed(isImage, \.isImage), .words("path", \.path),
                    make: { Self($2, to: $0, isImage: $1) }),
            ]
        })

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        try await command(on: core).utterances(on: core)
    }

    public func effect(of response: MessagesSent) -> SessionEffect? {
        if case .newItems(let profile, let items) = response { .visible(profile, .newItems(items)) } else { nil }
    }

    public func perform(on core: isolated LocalCore) async throws -> MessagesSent {
        if isImage { try core.files.checkImage(CryptoFile(path: path)) }
        return try await command(on: core).perform(on: core)
    }

    private func command(on core: isolated LocalCore) throws -> SendMessages {
        let chat =
            try chat ?? .reference(.notes(core.profiles.openNotes(of: core.lookup.activeProfile()).id))
        return SendMessages(chat, [ComposedMessage(content, file: CryptoFile(path: path))])
    }

    private var content: MessageContent {
        isImage ? MessageContent("", kind: .image(preview: SendFile.placeholder)) : MessageContent("", kind: .file)
    }

    /// A grey picture of 8 by 8 points.
    static let placeholder =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8EAgALgAD"
        + "/aNpbtEAAAAASUVORK5CYII="
}

/// Passes the file of an entry on. (`/fforward @name 7`, `/ff @name 7`, `/image_forward @name 7`)
public struct ForwardFile: ChatCommand {
    public var chat: ChatTarget
    public var file: ChatFileID
    public var isImage: Bool

    public init(_ file: ChatFileID, to chat: ChatTarget, isImage: Bool = false) {
        self.chat = chat
        self.file = file
        self.isImage = isImage
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        [("/fforward", false), ("/ff", false), ("/image_forward", true), ("/imgf", true)].map { words, isImage in
            Form(
                words, .person(\.chat), .file(\.file), .fixed(isImage, \.isImage),
                make: { Self($1, to: $0, isImage: $2) })
        })

    public func effect(of response: MessagesSent) -> SessionEffect? {
        if case .newItems(let profile, let items) = response { .visible(profile, .newItems(items)) } else { nil }
    }

    public func perform(on core: isolated LocalCore) async throws -> MessagesSent {
        let record = try core.files.file(file)
        guard let item = try core.files.located(record)?.item, let source = core.files.available(item) else {
            throw ChatError.file(.notReceived(file))
        }
        if isImage { try core.files.checkImage(source) }
        let content =
            isImage
            ? MessageContent("", kind: .image(preview: SendFile.placeholder)) : MessageContent("", kind: .file)
        return try await SendMessages(chat, [ComposedMessage(content, file: source)]).perform(on: core)
    }
}
