import AgentProtocol
import ChatCore
import Relay
import SMPProtocol
import SystemIO
import TerminalKit

/// The settings of a chat relay, in the file channel-relay.conf of its folder.
struct ChannelRelaySettings: Hashable, Sendable {
    /// Which channels owners may bring.
    enum NewChannels: String, CaseIterable, Sendable {
        case all, listed, none
    }

    var newChannels = NewChannels.all
    var listedChannels: [ShortLink] = []
    var channelLimit = 1000
    var memberLimit = 10_000
    var requestsPerMinute = 600
    /// The folder for pages about channels; nil for none.
    var webFolder: String?
    /// The domain on which the folder is shown.
    var webDomain: String?
    var webSeconds = 300
    var webPosts = 50

    static let fileName = "channel-relay.conf"

    /// The largest settings file in bytes.
    private static let fileLimit = 1 << 20

    var policy: ChatRelayPolicy {
        var policy = ChatRelayPolicy()
        policy.channels =
            switch newChannels {
            case .all: .all
            case .listed: .listed(listedChannels)
            case .none: .none
            }
        policy.mostChannels = channelLimit
        policy.mostMembers = memberLimit
        policy.requestsPerMinute = requestsPerMinute
        policy.webDomain = webFolder == nil ? nil : webDomain
        return policy
    }

    // MARK: - File

    /// The lines of the file.
    var text: String {
        var lines = [
            "# Settings of this chat relay. 'tacit channel-relay start' reads them, and again on SIGHUP. See "
                + "tacit-channel-relay(8)."
        ]
        for setting in ChannelRelaySetting.all {
            lines += [""] + NamedValues.comment("\(setting.meaning) [\(setting.values)]")
            lines.append(setting.text(self).map { "\(setting.name) = \($0)" } ?? "# \(setting.name) =")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the file in a folder.
    init(in folder: String) throws {
        let path = "\(folder)/\(ChannelRelaySettings.fileName)"
        guard Files.exists(path) else { throw Reason.noChannelRelay(folder) }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(path, limit: ChannelRelaySettings.fileLimit)
        } catch {
            throw Reason(error)
        }
        try self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// Reads the text of the file.
    ///
    /// - Throws: ``Reason/channelRelaySettings(_:)``.
    init(_ text: String) throws(Reason) {
        let entries: [NamedValues.Entry]
        do throws(RelayError) {
            entries = try NamedValues(text).entries
        } catch {
            guard case .settings(let line, let reason) = error else { throw Reason(error) }
            throw .channelRelaySettings("line \(line): \(reason)")
        }
        self.init()
        for entry in entries {
            guard let setting = ChannelRelaySetting.all.first(where: { $0.name == entry.name }) else {
                throw .channelRelaySettings("line \(entry.line): there is no such setting")
            }
            guard setting.set(&self, entry.value) else {
                throw .channelRelaySettings("line \(entry.line): '\(setting.name)' takes \(setting.values)")
            }
        }
    }

    init() {}
}

/// A setting of channel-relay.conf: its name, values and meaning.
///
/// The file of `tacit channel-relay init`, the check of values and the manual are made from these declarations.
struct ChannelRelaySetting: Sendable {
    let name: String
    /// The allowed values: `1 to 1000 channels`.
    let values: String
    /// The description in the file and the manual.
    let meaning: String
    /// The text of the value; nil if it is not set.
    let text: @Sendable (ChannelRelaySettings) -> String?
    /// Sets the value; returns false for an invalid one.
    let set: @Sendable (inout ChannelRelaySettings, String) -> Bool

    /// The default value as text; nil for none.
    var defaultText: String? { text(ChannelRelaySettings()) }

    /// All settings in the order of the file.
    static let all = [
        ChannelRelaySetting(
            name: "new_channels", values: "all, listed or none",
            meaning: """
                Channels that the relay begins to serve: all, only the channels in listed_channels, or none. The owner of another \
                channel is told that it is refused. Served channels stay.
                """,
            text: { $0.newChannels.rawValue },
            set: { settings, text in
                guard let value = ChannelRelaySettings.NewChannels(rawValue: text) else { return false }
                settings.newChannels = value
                return true
            }),
        ChannelRelaySetting(
            name: "listed_channels", values: "links such as https://HOST/c#KEY, separated by commas",
            meaning: """
                Links of channels for new_channels = listed. A link is bound to the key of the owner. The owner creates the \
                channel on another relay first, or adds this relay after a refusal.
                """,
            text: { settings in
                settings.listedChannels.isEmpty
                    ? nil : settings.listedChannels.map(\.description).joined(separator: ",")
            },
            set: { settings, text in
                let links = text.split(separator: ",").map { part -> ShortLink? in
                    let words = part.split(separator: " ")
                    guard words.count == 1, let link = try? ShortLink(text: String(words[0])),
                        link.kind == .address(.channel)
                    else { return nil }
                    return link
                }
                guard !links.isEmpty, !links.contains(nil) else { return false }
                settings.listedChannels = links.compactMap(\.self)
                return true
            }),
        number(
            "channel_limit", \.channelLimit, 1...1_000_000, "channels",
            "Maximum number of served channels. At the limit the owners of new channels are told that they are refused."
        ),
        number(
            "member_limit", \.memberLimit, 1...1_000_000, "members",
            "Maximum number of members of one channel. At the limit new subscribers are told that they are refused."),
        number(
            "requests_per_minute", \.requestsPerMinute, 1...1_000_000, "requests",
            """
            Maximum number of requests of owners and subscribers per minute. More are ignored, and must be made again.
            """),
        ChannelRelaySetting(
            name: "web_folder", values: "a path",
            meaning: """
                Existing folder for pages about the served channels, for a web server: ID.html, which needs no script, and ID.json, as \
                the official relays write it. They show profile, owners, number of members and, if the channel sends its \
                history to new members, the last messages. A relative path starts in the folder of the chat relay. Without this \
                line there are no pages.
                """,
            text: { $0.webFolder }, set: { take(path($1), &$0, \.webFolder) }),
        ChannelRelaySetting(
            name: "web_domain", values: "a name such as channels.example.org",
            meaning: """
                Domain on which the web server shows the folder as /channel/. Owners and apps are told of it. Without this line \
                they are not.
                """,
            text: { $0.webDomain }, set: { take(domain($1), &$0, \.webDomain) }),
        number("web_seconds", \.webSeconds, 1...86_400, "s", "Time between two updates of the pages."),
        number("web_posts", \.webPosts, 0...500, "messages", "Maximum number of messages on a page."),
    ]

    /// A path of printable characters.
    private static func path(_ text: String) -> String? {
        text.isEmpty || text.unicodeScalars.contains { $0.value < 0x20 } ? nil : text
    }

    private static func domain(_ text: String) -> String? {
        guard case .domain? = try? TransportHost(text: text) else { return nil }
        return text
    }

    private static func take(
        _ value: String?, _ settings: inout ChannelRelaySettings,
        _ path: WritableKeyPath<ChannelRelaySettings, String?>
    ) -> Bool {
        guard let value else { return false }
        settings[keyPath: path] = value
        return true
    }

    private static func number(
        _ name: String, _ path: any WritableKeyPath<ChannelRelaySettings, Int> & Sendable, _ range: ClosedRange<Int>,
        _ unit: String, _ meaning: String
    ) -> ChannelRelaySetting {
        ChannelRelaySetting(
            name: name, values: "\(range.lowerBound) to \(range.upperBound) \(unit)", meaning: meaning,
            text: { "\($0[keyPath: path])" },
            set: { settings, text in
                guard let value = Int(text), range.contains(value) else { return false }
                settings[keyPath: path] = value
                return true
            })
    }
}
