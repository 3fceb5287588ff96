import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit call accept`
enum CallAcceptCommand {
    static let streams = Positional<String>(
        "SESSION|-", "What the program with the sound says of its streams, as JSON; - reads it from standard input",
        .text())
    static let key = Option<String?>(
        "key", "The public key of that program for the streams, as the protocol has it", .text("KEY"))

    static let leaf: Leaf = .init(
        Command(
            "call accept", "Take a call up, for a program that has the sound",
            promise: "it is noted on disk, and the caller's relay has what the caller needs", store: .writing,
            positionals: [ContactCommand.target, streams], options: [key, ChangeDelivery.timeout],
            examples: [Example("./webrtc offer | tacit call accept @bob -", "With a program of yours")],
            exits: [64, 65, 67, 69, 75], reports: MessageReport.forms, topics: ["scripting"],
            discussion: """
                This version carries neither sound nor pictures. It passes on what a program that does needs: SESSION is an object \
                with rtcSession and rtcIceCandidates, the description of its streams (WebRTC), in the words of the SimpleX \
                apps. What the caller answers is an event of 'tacit watch --json': call.answered and call.candidates have it \
                under session, as description and candidates. The caller's key for the streams is call_key in 'tacit call list --json'.

                There is one call at a time; 'tacit call end' ends it.
                """),
        purpose: { "take up the call of \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        run: { invocation in
            let text = try MessageText.read(invocation[streams], invocation, usage: "call accept CONTACT")
            guard let session = try? CallSession(decoding: Bytes(text.utf8)) else {
                throw Reason.invalidStreams
            }
            return try StoreAccess(invocation, isWriting: true).run { try await accept(session, $0) }
        })

    private static func accept(_ streams: CallSession, _ session: StoreSession) async throws -> ExitCode {
        let key = session.invocation[key]
        return try await CallNoun.carryOut(session) { chat, call in
            AcceptCall(chat, CallOffer(CallType(call?.media ?? .audio, canEncrypt: key != nil), streams, key: key))
        }
    }
}
