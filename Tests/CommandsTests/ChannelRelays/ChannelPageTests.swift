import ByteCoding
import ChatProtocol
import JSONCoding
import Testing

@testable import ChatCore
@testable import Commands

/// The page about a channel.
@Suite struct ChannelPageTests {
    private func preview(
        _ texts: [MessageContent], name: String = "news", image: String? = nil
    ) throws -> ChannelPreview {
        let id = try #require(MemberID(Array("0123456789abcdef".utf8)))
        let author = ChannelPreview.Author(id: id, name: "<olga>", image: nil)
        let group = PublicGroup(link: "https://127.0.0.1/c#key", id: Bytes(repeating: 7, count: 32))
        return ChannelPreview(
            profile: GroupProfile(
                displayName: name, shortDescription: "what is *new*", image: image, publicGroup: group),
            owners: [author], subscribers: 12,
            messages: texts.map { content in
                ChannelPreview.Message(
                    author: nil, time: Timestamp(milliseconds: 1_700_000_000_000), content: content, file: nil,
                    quote: nil, isForwarded: false, isEdited: false, reactions: .array([]))
            })
    }

    private func page(_ preview: ChannelPreview) -> String {
        ChannelPage(preview, at: Timestamp(milliseconds: 1_700_000_001_000)).html
    }

    @Test func showsProfileOwnersAndMessages() throws {
        let text = try page(preview([MessageContent("hello *all* and https://example.com/?a=1&b=2")]))
        #expect(text.contains("<h1>news</h1>") && text.contains("what is <b>new</b>"))
        #expect(text.contains("12 members; owned by &lt;olga&gt;"))
        #expect(text.contains("hello <b>all</b> and "))
        #expect(text.contains("href=\"https://example.com/?a=1&amp;b=2\""))
        #expect(text.contains("href=\"https://127.0.0.1/c#key\""))
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "[click](javascript:alert(1))", "'onload='x",
        "a\u{202e}b", "</title><script>x</script>", "<!--", "javascript:alert(1)", "data:text/html,<script>x</script>",
    ])
    func aHostileTextIsOnlyText(text: String) throws {
        let picture = "data:image/png;base64,AAAA\"onerror=\"alert(1)"
        let html = try page(
            preview(
                [MessageContent(text), MessageContent(text, kind: .image(preview: picture))], name: text, image: picture
            ))
        #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("onerror=\""))
        #expect(!html.contains("href=\"javascript:") && !html.contains("href=\"data:") && !html.contains("\u{202e}"))
        #expect(!html.contains("<!--") && html.components(of: "<title>") == 2)
    }

    @Test func theFileForProgramsHasTheFieldsOfTheOfficialRelay() throws {
        let json = try preview([MessageContent("*hi*")]).json(at: Timestamp(milliseconds: 1_700_000_001_000))
        #expect(json["subscribers"] == .integer(12))
        #expect(json["shortDescription"]?.array?.count == 2)
        #expect(json["members"]?.array?.first?.object?["displayName"] == "<olga>")
        let message = try #require(json["messages"]?.array?.first?.object)
        #expect(message["content"]?.object?["text"] == "*hi*" && message["edited"] == false)
        #expect(message["sender"] == nil && message["formattedText"]?.array?.count == 1)
        #expect(json["channel"]?.object?["displayName"] == "news" && json["updatedAt"]?.string != nil)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        var count = 1, rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
