import ByteCoding
import JSONCoding

extension CallMessage {
    /// The names of the events.
    enum Name: String {
        case invitation = "x.call.inv"
        case offer = "x.call.offer"
        case answer = "x.call.answer"
        case extra = "x.call.extra"
        case end = "x.call.end"
    }

    var name: Name {
        switch step {
        case .invitation: .invitation
        case .offer: .offer
        case .answer: .answer
        case .extra: .extra
        case .end: .end
        }
    }

    /// Reads the parameters of an event.
    init(_ name: Name, from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("callId")
        switch name {
        case .invitation: step = .invitation(try fields.required("invitation"))
        case .offer: step = .offer(try fields.required("offer"))
        case .answer:
            var answer = try fields.object("answer")
            step = .answer(try answer.required("rtcSession"))
        case .extra:
            var extra = try fields.object("extra")
            var inner = try extra.object("rtcExtraInfo")
            step = .extra(candidates: try inner.text("rtcIceCandidates"))
        case .end: step = .end
        }
        otherFields = fields.rest
    }

    /// The parameters on the wire.
    var fields: JSONObject {
        var fields: JSONObject = ["callId": id.json]
        switch step {
        case .invitation(let invitation): fields.set("invitation", invitation)
        case .offer(let offer): fields.set("offer", offer)
        case .answer(let session): fields["answer"] = .object(["rtcSession": session.json])
        case .extra(let candidates):
            fields["extra"] = .object(["rtcExtraInfo": .object(["rtcIceCandidates": .string(candidates)])])
        case .end: break
        }
        return fields.merging(otherFields)
    }
}
