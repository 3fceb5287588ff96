import AgentProtocol
import Testing

@testable import ChatCore
@testable import Commands

/// The file channel-relay.conf.
@Suite struct ChannelRelaySettingsTests {
    private static let link = "https://127.0.0.1/c#RMR6dHXBlzxTAuLbRgqNLu3-7iVLmtnEmGIeYlhGgPs?p=5223"

    @Test func theWrittenFileSaysTheDefaults() throws {
        #expect(try ChannelRelaySettings(ChannelRelaySettings().text) == ChannelRelaySettings())
    }

    @Test func everySettingIsReadBack() throws {
        var settings = ChannelRelaySettings()
        settings.newChannels = .listed
        settings.listedChannels = [try ShortLink(text: ChannelRelaySettingsTests.link)]
        settings.channelLimit = 3
        settings.memberLimit = 4
        settings.requestsPerMinute = 5
        settings.webFolder = "web"
        settings.webDomain = "channels.example.org"
        settings.webSeconds = 6
        settings.webPosts = 7
        #expect(try ChannelRelaySettings(settings.text) == settings)
        #expect(settings.policy.webDomain == "channels.example.org")
        settings.webFolder = nil
        #expect(settings.policy.webDomain == nil)
    }

    @Test(arguments: [
        "new_channels = some", "new_channels", "listed_channels = https://example.com", "channel_limit = 0",
        "member_limit = many", "requests_per_minute = -1", "web_domain = a b", "web_folder =", "speed = 3",
        "listed_channels = \(link) \(link)", "web_seconds = 0",
    ])
    func aWrongLineIsNamed(line: String) {
        #expect(throws: Reason.self) { try ChannelRelaySettings("# a comment\n\(line)\n") }
        do {
            _ = try ChannelRelaySettings("# a comment\n\(line)\n")
        } catch let error {
            #expect(error.why.contains { $0.hasPrefix("line 2: ") })
        }
    }
}
