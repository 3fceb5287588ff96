import AgentProtocol
import ChatProtocol
import JSONCoding

extension OwnProfile {
    /// `User` of the API.
    var json: JSONValue {
        var fields: JSONObject = [
            "userId": .integer(id.number),
            "agentUserId": .integer(id.number),
            // The official core keeps a contact for each user; here the profile itself is all there is.
            "userContactId": .integer(id.number),
            "localDisplayName": .string(name),
            "profile": .object(profile.localFields(id: id.number)),
            "fullPreferences": Preferences.own,
            "activeUser": .bool(isActive),
            "activeOrder": .integer(id.number),
            "showNtfs": .bool(!isMuted),
            "sendRcptsContacts": .bool(sendsReceipts),
            "sendRcptsSmallGroups": false,
            "autoAcceptMemberContacts": false,
            "clientService": false,
        ]
        // The official core knows nothing of it.
        fields.set("homeContactId", home?.number)
        return .object(fields)
    }

    /// `UserInfo` of the API.
    var summaryJSON: JSONValue {
        .object(["user": json, "unreadCount": .integer(Int64(unreadCount))])
    }
}

extension Profile {
    /// `LocalProfile` of the API.
    func localFields(id: Int64) -> JSONObject {
        var fields: JSONObject = ["profileId": .integer(id)]
        fields = fields.merging(self.fields)
        fields["localAlias"] = ""
        return fields
    }
}
