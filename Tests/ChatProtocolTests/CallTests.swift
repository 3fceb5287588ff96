import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@Suite struct CallTests {
    private static let id = SharedMessageID([1, 2, 3, 4])
    private static let video = CallType(.video, canEncrypt: true)
    private static let session = CallSession(description: "abc", candidates: "def")

    /// Messages with their texts, in the form of the recorded ones.
    private static let samples: [(CallMessage, String)] = [
        (
            CallMessage(id, .invitation(CallInvitation(CallType(.audio, canEncrypt: false), key: "AAAA"))),
            #"{"v":"9","event":"x.call.inv","params":{"callId":"AQIDBA==","invitation":{"callType":{"media":"audio","#
                + #""capabilities":{"encryption":false}},"callDhPubKey":"AAAA"}}}"#
        ),
        (
            CallMessage(id, .offer(CallOffer(video, session, key: "AAAA"))),
            #"{"v":"9","event":"x.call.offer","params":{"callId":"AQIDBA==","offer":{"callType":{"media":"video","#
                + #""capabilities":{"encryption":true}},"rtcSession":{"rtcSession":"abc","rtcIceCandidates":"def"},"#
                + #""callDhPubKey":"AAAA"}}}"#
        ),
        (
            CallMessage(id, .answer(session)),
            #"{"v":"9","event":"x.call.answer","params":{"callId":"AQIDBA==","answer":{"rtcSession":"#
                + #"{"rtcSession":"abc","rtcIceCandidates":"def"}}}}"#
        ),
        (
            CallMessage(id, .extra(candidates: "def")),
            #"{"v":"9","event":"x.call.extra","params":{"callId":"AQIDBA==","extra":{"rtcExtraInfo":"#
                + #"{"rtcIceCandidates":"def"}}}}"#
        ),
        (CallMessage(id, .end), #"{"v":"9","event":"x.call.end","params":{"callId":"AQIDBA=="}}"#),
        (
            CallMessage(id, .end, otherFields: ["reason": "busy"]),
            #"{"v":"9","event":"x.call.end","params":{"callId":"AQIDBA==","reason":"busy"}}"#
        ),
    ]

    @Test func callsAreReadAndWritten() throws {
        for (call, text) in Self.samples {
            let message = ChatMessage(versions: VersionRange(9), event: .call(call))
            #expect(try ChatMessage(decoding: Bytes(text.utf8)) == message)
            #expect(try ForeignJSON(message.encoded).value == ForeignJSON(Bytes(text.utf8)).value)
            Damage.check(Bytes(text.utf8)) { try ChatMessage(decoding: $0) }
        }
    }

    @Test(arguments: [
        #"{"callId":"AQIDBA=="}"#, #"{"invitation":{}}"#, #"{"callId":"","invitation":{}}"#,
        #"{"callId":"AQIDBA==","invitation":{"callType":{"media":"smell","capabilities":{"encryption":true}}}}"#,
        #"{"callId":"AQIDBA==","invitation":{"callType":{"media":"audio","capabilities":{}}}}"#,
        #"{"callId":7,"invitation":{"callType":{"media":"audio","capabilities":{"encryption":true}}}}"#,
    ])
    func incompleteInvitationsAreRefused(parameters: String) {
        let text = #"{"v":"9","event":"x.call.inv","params":\#(parameters)}"#
        #expect(throws: DecodeError.self) { try ChatMessage(decoding: Bytes(text.utf8)) }
    }

    @Test func only_call_invitations_notify() {
        for (call, _) in Self.samples {
            let event = ChatMessage.Event.call(call)
            #expect(event.notifies == (event.name == "x.call.inv"))
            #expect(event.wantsReceipt == (event.name == "x.call.inv"))
        }
    }
}
