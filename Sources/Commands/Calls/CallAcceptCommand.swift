import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit call accept`
enum CallAcceptCommand {
    static let streams = Positional<String>(
        "SESSION|-", "WebRTC session of the media program, as JSON; - reads standard input",
        .text())
    static let key = Option<String?>(
        "key", "Public key of the media program, in the form of the SimpleX protocol", .text("KEY"))

    static let leaf: Leaf = .init(
        Command(
            "call accept", "Accept a call for an external media program",
            promise: "the answer is on disk, and the relay has accepted it for the caller", store: .writing,
            positionals: [ContactCommand.target, streams], options: [key, ChangeDelivery.timeout],
            examples: [
                Example("./webrtc offer | tacit call accept @bob -", "Accept a call with your own media program")
            ],
            exits: [64, 65, 67, 69, 75], reports: MessageReport.forms, topics: ["scripting"],
            discussion: """
                tacit itself carries no audio or video. It passes the call setup between the caller and a media program: \
                SESSION is a JSON object with rtcSession and rtcIceCandidates (WebRTC), as in the SimpleX apps. The caller's \
                answer arrives as an event of 'tacit watch --json': call.answered and call.candidates hold it under session, \
                as description and candidates. call_key in 'tacit call list --json' is the caller's key for the streams.

                Only one call can be active; 'tacit call end' ends it.
                """),
        purpose: { "accept the call of \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        run: { invocation in
            let text = try MessageText.read(invocation[streams], invocation, usage: "call accept CONTACT")
            guard let session = try? CallSession(decoding: Bytes(text.utf8)) else {
                throw Reason.invalidStreams
            }
            return try StoreOpener(invocation, isWriting: true).run { try await accept(session, $0) }
        })

    private static func accept(_ streams: CallSession, _ session: CommandSession) async throws -> ExitCode {
        let key = session.invocation[key]
        return try await CallNoun.carryOut(session) { chat, call in
            AcceptCall(chat, CallOffer(CallType(call?.media ?? .audio, canEncrypt: key != nil), streams, key: key))
        }
    }
}
