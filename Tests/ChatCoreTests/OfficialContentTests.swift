import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@testable import ChatCore

@Suite struct OfficialContentTests {
    /// Apps of 6.4 show an entry of a kind that they do not know as damaged.
    @Test func newer_kinds_do_not_go_to_older_apps() {
        let on = GroupPreferences.Setting(true)
        let newer: [ChatItem.Content] = [
            .groupFeature(.support, on), .groupFeature(.comments, on), .groupFeatureRejected(.support),
            .groupFeature(.signMessages, on),
            .undecryptable(.malformed), .groupEvent(.badSignature),
        ]
        for content in newer {
            #expect(OfficialContent.text(content, .received, for: .version6) == nil)
            #expect(OfficialContent.text(content, .received, for: .version7) != nil)
        }
        for content in [
            ChatItem.Content.groupFeature(.history, on), .groupEncryption(isPublic: false), .undecryptable(.message),
        ] {
            let (older, today) = (
                OfficialContent.text(content, .received, for: .version6), OfficialContent.text(content, .received)
            )
            #expect(older?.text == today?.text)
        }
    }

    @Test(arguments: 0..<400) func contents_of_entries_are_read_back_as_they_were_written(_ seed: UInt64) throws {
        var samples = Samples(seed: seed)
        let content = samples.itemContent()
        var direction: ChatItem.Direction = samples.pick([.sent, .received])
        // Each side tells of the queue at which it receives.
        if case .queueSwitch(let queue, _) = content { direction = queue == .receiving ? .sent : .received }
        guard let (text, tag) = OfficialContent.text(content, direction) else { return }
        #expect(try OfficialContent.content(text, direction) == content)
        #expect(tag.hasPrefix("rcv") == (direction == .received))
    }

    @Test func contents_stand_in_the_only_field() throws {
        let message = try MessageContent(decoding: Bytes(#"{"type":"text","text":"hi"}"#.utf8))
        #expect(
            OfficialContent.text(.message(message), .sent)?.text
                == #"{"sndMsgContent":{"msgContent":{"type":"text","text":"hi"}}}"#)
        #expect(OfficialContent.text(.banner, .sent)?.text == #"{"chatBanner":{}}"#)
        #expect(
            OfficialContent.text(.groupEvent(.memberConnected), .received)?.text
                == #"{"rcvGroupEvent":{"rcvGroupEvent":{"memberConnected":{}}}}"#)
    }

    @Test func contents_that_the_official_program_does_not_have_are_left_out() {
        #expect(OfficialContent.text(.queueSwitch(.receiving, .aborted), .sent) == nil)
        // Only the other side can delete this one.
        #expect(OfficialContent.text(.contactDeleted, .sent) == nil)
    }

    @Test func states_are_read_back_as_they_were_written() {
        let problems: [ChatItem.SendProblem] = ChatItem.SendProblem.allCases
        let sent: [ChatItem.Status] =
            [
                .sendNew, .sendSent, .sendSentPartly, .sendReceived(isIntact: true), .sendReceived(isIntact: false),
                .sendReceivedPartly(isIntact: true), .sendErrorAuthorization,
            ] + problems.map { .sendWarning($0) } + problems.map { .sendError($0) }
        for status in sent { #expect(OfficialContent.status(OfficialContent.text(status), .sent) == status) }
        for status in [ChatItem.Status.receivedNew, .receivedRead] {
            #expect(OfficialContent.status(OfficialContent.text(status), .received) == status)
        }
        #expect(OfficialContent.text(.sendUnconfirmed) == "snd_sent complete")
    }

    @Test func states_at_members_are_read_back_as_they_were_written() {
        let unsent: [MemberDelivery] = [.owed, .pending, .withdrawn]
        for delivery in MemberDelivery.allCases where !unsent.contains(delivery) {
            #expect(OfficialContent.delivery(OfficialContent.text(delivery)) == delivery)
        }
        for delivery in unsent { #expect(OfficialContent.text(delivery) == "snd_new") }
    }

    @Test func settled_states_of_files_are_read_back_as_they_were_written() {
        for state in [FileState.sentStored, .sentCancelled, .sentComplete] {
            #expect(OfficialContent.fileState(OfficialContent.text(state), isSent: true) == state)
        }
        for state in [FileState.offered, .accepted, .aborted, .received, .receivedCancelled] {
            #expect(OfficialContent.fileState(OfficialContent.text(state), isSent: false) == state)
        }
    }

    @Test(arguments: [
        (#"{"voice":{"allow":"yes"},"files":{"allow":"sometimes"}}"#, #"{"voice":{"allow":"yes"}}"#),
        (
            #"{"timedMessages":{"allow":"yes","ttl":60},"commands":[]}"#,
            #"{"timedMessages":{"allow":"yes","ttl":60},"commands":[]}"#
        ),
        (#"{"timedMessages":{"allow":"yes","ttl":"soon"},"calls":7}"#, "{}"),
    ])
    func preferences_lose_what_the_official_program_cannot_read(_ given: String, _ kept: String) throws {
        let value = try JSONValue(decoding: Bytes(given.utf8))
        #expect(OfficialContent.preferences(value) == kept)
    }

    @Test func preferences_of_groups_lose_what_the_official_program_cannot_read() throws {
        let given = #"""
            {"voice":{"enable":"on","role":"admin"},"files":{"enable":"on","role":"guest"},"history":{"enable":"maybe"}}
            """#
        #expect(
            OfficialContent.groupPreferences(try JSONValue(decoding: Bytes(given.utf8)))
                == #"{"voice":{"enable":"on","role":"admin"}}"#)
    }

    @Test func roles_and_links_are_those_that_the_official_program_has() {
        #expect(OfficialContent.role("moderator") == "moderator")
        #expect(OfficialContent.role("relay") == nil)
        #expect(OfficialContent.contactLink("https://example.org") == nil)
    }
}
