import Testing

@testable import ChatCore

@Suite struct ItemStatusTests {
    @Test func every_status_is_read_back_as_it_was_written() {
        let problems = ChatItem.SendProblem.allCases
        let statuses: [ChatItem.Status] =
            [
                .sendNew, .sendSent, .sendReceived(isIntact: true), .sendReceived(isIntact: false),
                .sendErrorAuthorization,
                .receivedNew, .receivedRead,
            ] + problems.map { .sendWarning($0) } + problems.map { .sendError($0) }
        #expect(Set(statuses.map(\.text)).count == statuses.count)
        for status in statuses {
            #expect(!status.text.isEmpty)
            #expect(ChatItem.Status(text: status.text) == status)
        }
    }

    @Test func the_empty_text_of_earlier_versions_is_a_failed_message() {
        #expect(ChatItem.Status(text: "") == .sendError(.other))
        #expect(ChatItem.Status(text: "snd_error") == nil)
        #expect(ChatItem.Status(text: "snd_warning 7") == nil)
    }
}
