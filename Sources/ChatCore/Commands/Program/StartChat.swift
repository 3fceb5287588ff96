/// Begins to receive, and sends the outbox, until ``StopChat``. (`/_start [main=on] [snd_files=on] [large_link_data=on]`)
///
/// The options are those of the official core, which divides its work between two programs on a phone; here one program does all.
public struct StartChat: ChatCommand {
    /// True for the program that receives, and not for one that only shows what arrived.
    public var isMain: Bool
    /// True if files are sent.
    public var sendsFiles: Bool
    /// True if links may have large data.
    public var usesLargeLinkData: Bool

    public init(isMain: Bool = true, sendsFiles: Bool = true, usesLargeLinkData: Bool = true) {
        self.isMain = isMain
        self.sendsFiles = sendsFiles
        self.usesLargeLinkData = usesLargeLinkData
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_start", .flag("main", \.isMain, byDefault: true), .flag("snd_files", \.sendsFiles, byDefault: true),
            .flag("large_link_data", \.usesLargeLinkData, byDefault: true), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatState {
        guard isMain else { return core.exchange.isStarted ? .running : .started }
        // Other programs find the notes of a profile in its list of chats.
        for profile in try core.store.profiles() { _ = try core.profiles.openNotes(of: profile) }
        return try core.exchange.start() ? .started : .running
    }
}
