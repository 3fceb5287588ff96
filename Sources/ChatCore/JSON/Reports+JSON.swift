import AgentProtocol
public import ByteCoding
public import JSONCoding
import SMPProtocol

// What a fetch did, what is in a store, and what this program is. The official API has only the last of them.

extension FetchReport: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            received: try fields.count("received"), sent: try fields.count("sent"),
            waiting: try fields.count("waiting"), isComplete: try fields.bool("complete"),
            obstacles: try fields.list("obstacles"))
    }

    public var fields: JSONObject {
        [
            "received": .integer(Int64(received)), "sent": .integer(Int64(sent)), "waiting": .integer(Int64(waiting)),
            "complete": .bool(isComplete), "obstacles": .array(obstacles.map(\.json)),
        ]
    }
}

extension StatusReport: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let servers = try fields.elements("servers").map { server throws(DecodeError) in
            guard let text = server.string else { throw .invalid("servers") }
            return try ServerAddress(text: text)
        }
        self.init(
            profile: try fields.optional("user"), profileCount: try fields.count("users"),
            contactCount: try fields.count("contacts"), unreadCount: try fields.count("unreadCount"),
            waiting: try fields.count("waiting"), heldUp: try fields.count("heldUp"),
            unconfirmed: try fields.count("unconfirmed"), servers: servers,
            onboarding: try fields.optionalWord("onboarding", OnboardingStage.init(rawValue:)),
            lastExport: try fields.optional("lastExport"), freezingExport: try fields.optional("freezingExport"),
            isCopy: try fields.bool("copy"), contactsInTrouble: try fields.list("contactsInTrouble"))
    }

    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("user", profile)
        fields.set("users", profileCount)
        fields.set("contacts", contactCount)
        fields.set("unreadCount", unreadCount)
        fields.set("waiting", waiting)
        fields.set("heldUp", heldUp)
        fields.set("unconfirmed", unconfirmed)
        fields.set("servers", servers.map(\.description))
        fields.set("onboarding", onboarding?.rawValue)
        fields.set("lastExport", lastExport)
        fields.set("freezingExport", freezingExport)
        fields.set("copy", isCopy)
        fields["contactsInTrouble"] = .array(contactsInTrouble.map(\.json))
        return fields
    }
}

extension LocatedContact: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var fields: JSONObject { ["user": profile.json, "contact": contact.json] }
}

extension ExportMark: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard let id = try fields.optionalBytes("exportId"), id.count == ExportMark.idSize else {
            throw .invalid("exportId")
        }
        self.init(
            id: id, number: try fields.integer("number"), exportedAt: try fields.timestamp("exportedAt"),
            isComplete: try fields.bool("complete"), isFrozen: try fields.bool("frozen"),
            steps: try fields.integer("steps"), importedAt: try fields.optionalTimestamp("importedAt"),
            isBackup: try fields.bool("backup"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = [
            "exportId": .string(Base64URL.encode(id)), "number": .integer(number),
            "exportedAt": .string(exportedAt.description), "complete": .bool(isComplete), "frozen": .bool(isFrozen),
            "steps": .integer(steps),
        ]
        fields.set("importedAt", importedAt?.description)
        fields.set("backup", isBackup)
        return fields
    }
}

extension VersionReport: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            version: try fields.text("version"), chat: try fields.versions("chatVRange"),
            agent: try fields.versions("agentVRange"), smp: try fields.versions("smpVRange"),
            ratchet: try fields.versions("e2eVRange"))
    }

    public var fields: JSONObject {
        [
            "version": .string(version), "chatVRange": chat.json, "agentVRange": agent.json, "smpVRange": smp.json,
            "e2eVRange": ratchet.json,
        ]
    }
}
