import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension PreparedContact: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let isInvitation: Bool =
            switch try fields.text("uiConnLinkType") {
            case "inv": true
            case "con": false
            default: throw .invalid("uiConnLinkType")
            }
        self.init(
            link: try fields.required("connLinkToConnect"), isInvitation: isInvitation,
            welcomeID: try fields.optionalID("welcomeSharedMsgId"),
            requestID: try fields.optionalID("requestSharedMsgId"), name: try fields.optional("nameCheck"))
    }

    /// `PreparedContact` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["connLinkToConnect": link.json, "uiConnLinkType": isInvitation ? "inv" : "con"]
        fields["welcomeSharedMsgId"] = welcomeID?.json
        fields["requestSharedMsgId"] = requestID?.json
        // The official core has it in the profile of the contact.
        fields.set("nameCheck", name)
        return fields
    }
}
