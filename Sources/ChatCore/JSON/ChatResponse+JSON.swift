import AgentProtocol
import ByteCoding
import ChatProtocol
public import JSONCoding
import SMPProtocol

extension CoreResponse {
    /// The answer as the API has it, with a `type`. What only this program has has a type of its own.
    public var json: JSONObject {
        var fields: JSONObject = ["type": .string(type)]
        switch self {
        case .activeProfile(let profile): fields["user"] = profile.json
        case .profileUpdated(let former, let profile, let told):
            fields["user"] = profile.json
            fields["fromProfile"] = former.json
            fields["toProfile"] = profile.profile.json
            fields["updateSummary"] = .object([
                "updateSuccesses": .integer(Int64(told)), "updateFailures": 0, "changedContacts": [],
            ])
        case .profileUnchanged(let profile): fields["user"] = profile.json
        case .profiles(let profiles): fields["users"] = .array(profiles.map(\.summaryJSON))
        case .servers(let profile, let servers):
            fields["user"] = profile.json
            fields["userServers"] = .array(servers.map(\.json))
        case .serverTested(let profile, let server, let failure):
            fields["user"] = profile.json
            fields["testServer"] = .string(server.description)
            fields["testFailure"] = failure?.json(server.address)
        case .operators(let operators): fields["conditions"] = ServerOperator.conditionsJSON(operators)
        case .conditions(let conditions, let operators):
            fields = fields.merging(conditions.fields(operators))
        case .invitation(let profile, let link, let connection):
            fields["user"] = profile.json
            fields["connLinkInvitation"] = link.json
            fields["connection"] = connection.pendingJSON
        case .sentConfirmation(let profile, let connection), .sentInvitation(let profile, let connection):
            fields["user"] = profile.json
            fields["connection"] = connection.pendingJSON
            fields.set("customUserProfile", connection.incognito)
        case .connectionDeleted(let profile, let connection):
            fields["user"] = profile.json
            fields["connection"] = connection.pendingJSON
        case .connectionPlan(let profile, let plan):
            fields["user"] = profile.json
            fields["connLink"] = plan.link.json
            fields["connectionPlan"] = plan.json
        case .invitations(let profile, let connections):
            fields["user"] = profile.json
            fields["connections"] = .array(connections.map(\.pendingJSON))
        case .addressCreated(let profile, let address):
            fields["user"] = profile.json
            fields["connLinkContact"] = address.link.json
        case .address(let profile, let address), .addressUpdated(let profile, let address):
            fields["user"] = profile.json
            fields["contactLink"] = address.json
        case .addressDeleted(let profile): fields["user"] = profile.json
        case .requests(let profile, let requests):
            fields["user"] = profile.json
            fields["contactRequests"] = .array(requests.map(\.json))
        case .requestRejected(let profile, let request):
            fields["user"] = profile.json
            fields["contactRequest"] = request.json
        case .contacts(let profile, let contacts):
            fields["user"] = profile.json
            fields["contacts"] = .array(contacts.map(\.json))
        case .contact(let profile, let contact), .acceptingRequest(let profile, let contact):
            fields["user"] = profile.json
            fields["contact"] = contact.json
        case .chats(let profile, let chats, let pending):
            fields["user"] = profile.json
            fields["chats"] = .array(chats.map(\.json) + pending.map(\.chatJSON))
        case .chat(let profile, let contact, let items):
            fields["user"] = profile.json
            fields["chat"] = .object(
                ChatPreview.fields(contact.chatInfo, items, unreadCount: contact.unreadCount))
        case .items(let profile, let items), .newItems(let profile, let items):
            fields["user"] = profile.json
            fields["chatItems"] = .array(items.map(\.json))
        case .sentBefore(let profile, let contact, let id, let item):
            fields["user"] = profile.json
            fields["chatInfo"] = contact.chatInfo
            fields.set("chatItemId", id.number)
            fields["chatItem"] = item?.json
        case .retention(let profile):
            fields["user"] = profile.json
            fields.set("chatItemTTL", profile.retention)
        case .purged(let profile, let chats, let isDry):
            fields["user"] = profile.json
            fields["chats"] = .array(chats.map(\.json))
            fields.set("dryRun", isDry)
        case .partsSentBefore(let profile, let contact, let items):
            fields["user"] = profile.json
            fields["chatInfo"] = contact.chatInfo
            fields["chatItems"] = .array(items.map(\.json))
        case .itemUpdated(let profile, let item), .itemUnchanged(let profile, let item):
            fields["user"] = profile.json
            fields["chatItem"] = item.json
        case .itemsDeleted(let profile, let deleted):
            fields["user"] = profile.json
            fields = fields.merging(DeletedItem.fields(deleted, byUser: true))
        case .reaction(let profile, let item, let reaction, let isAdded):
            fields["user"] = profile.json
            fields = fields.merging(item.json(reaction, .sent, isAdded: isAdded))
        case .cursors(let profile, let cursors):
            fields["user"] = profile.json
            fields["cursors"] = .array(cursors.map(\.json))
        case .cursorMoved(let profile, let cursor), .cursorDeleted(let profile, let cursor):
            fields["user"] = profile.json
            fields["cursor"] = cursor.json
        case .contactDeleted(let profile, let contact):
            fields["user"] = profile.json
            fields["contact"] = contact.json
        case .securityCode(let profile, let contact, let code):
            fields["user"] = profile.json
            fields["contact"] = contact.json
            fields.set("connectionCode", code.text)
        case .verified(let profile, let contact, let isRight, let code):
            fields["user"] = profile.json
            fields["contact"] = contact.json
            fields.set("verified", isRight)
            fields.set("expectedCode", code.text)
        case .profilePrivacy(let profile):
            fields["user"] = profile.json
            fields["updatedUser"] = profile.json
        case .delivered(let profile, let contact, let isComplete, let obstacle):
            fields["user"] = profile.json
            fields["contact"] = contact.json
            fields.set("complete", isComplete)
            fields["obstacle"] = obstacle?.json(nil)
        case .itemsRead(let profile, let contact):
            fields["user"] = profile.json
            fields["chatInfo"] = contact.chatInfo
        case .commandOK(let profile): fields["user_"] = profile?.json
        case .fetched(let report): fields = fields.merging(report.fields)
        case .itemWaited(let profile, let item, let obstacle):
            fields["user"] = profile.json
            fields["chatItem"] = item.json
            fields["obstacle"] = obstacle?.json(nil)
        case .connectionWaited(let profile, let connection, let contact, let obstacle, let problem):
            fields["user"] = profile.json
            fields["connection"] = connection.pendingJSON
            fields["contact"] = contact?.json
            fields["obstacle"] = obstacle?.json(nil)
            fields.set("problem", problem?.word)
        case .switchStarted(let profile, let contact, let condition),
            .switchAborted(let profile, let contact, let condition),
            .synchronizationStarted(let profile, let contact, let condition):
            fields["user"] = profile.json
            fields["contact"] = contact.json
            fields["connectionStats"] = condition.json
        case .calls(let profile, let items):
            fields["user"] = profile.json
            fields["chatItems"] = .array(items.map(\.json))
        case .callEnded(let profile, let item), .callAccepted(let profile, let item):
            fields["user"] = profile.json
            fields["chatItem"] = item.json
        case .session(let response): fields = fields.merging(response.fields)
        case .status(let report): fields = fields.merging(report.fields)
        case .version(let report): fields = fields.merging(report.fields)
        }
        return fields
    }

    private var type: String {
        switch self {
        case .activeProfile: "activeUser"
        case .profiles: "usersList"
        case .profileUpdated: "userProfileUpdated"
        case .profileUnchanged: "userProfileNoChange"
        case .servers: "userServers"
        case .serverTested: "serverTestResult"
        case .operators: "serverOperatorConditions"
        case .conditions: "usageConditions"
        case .invitation: "invitation"
        case .sentConfirmation: "sentConfirmation"
        case .sentInvitation: "sentInvitation"
        case .connectionPlan: "connectionPlan"
        case .invitations: "contactConnections"
        case .connectionDeleted: "contactConnectionDeleted"
        case .addressCreated: "userContactLinkCreated"
        case .address: "userContactLink"
        case .addressUpdated: "userContactLinkUpdated"
        case .addressDeleted: "userContactLinkDeleted"
        case .requests: "contactRequests"
        case .acceptingRequest: "acceptingContactRequest"
        case .requestRejected: "contactRequestRejected"
        case .contacts: "contactsList"
        case .contact: "contactInfo"
        case .chats: "apiChats"
        case .chat: "apiChat"
        case .items: "chatItems"
        case .newItems: "newChatItems"
        case .sentBefore: "chatItemSentBefore"
        case .retention: "chatItemTTL"
        case .purged: "chatItemsPurged"
        case .partsSentBefore: "chatItemsSentBefore"
        case .itemUpdated: "chatItemUpdated"
        case .itemUnchanged: "chatItemNotChanged"
        case .itemsDeleted: "chatItemsDeleted"
        case .reaction: "chatItemReaction"
        case .cursors: "cursors"
        case .cursorMoved: "cursorMoved"
        case .cursorDeleted: "cursorDeleted"
        case .contactDeleted: "contactDeleted"
        case .securityCode: "contactCode"
        case .verified: "connectionVerified"
        case .profilePrivacy: "userPrivacy"
        case .delivered: "delivered"
        case .itemsRead: "itemsReadForChat"
        case .commandOK: "cmdOk"
        case .fetched: "fetched"
        case .itemWaited: "itemWaited"
        case .connectionWaited: "connectionWaited"
        case .switchStarted: "contactSwitchStarted"
        case .switchAborted: "contactSwitchAborted"
        case .synchronizationStarted: "contactRatchetSyncStarted"
        case .calls: "callInvitations"
        case .callEnded: "callEnded"
        case .callAccepted: "callAccepted"
        case .session(let response): response.type
        case .status: "status"
        case .version: "versionInfo"
        }
    }
}
