import ChatCore
import JSONCoding
import SystemIO

/// The text that the terminal of the official program prints for an answer (`View.hs` of SimpleX Chat 7.0).
///
/// Scripts read these texts, so they are kept to the letter. Answers without a text here are printed as JSON.
struct TerminalText {
    /// The current time, in milliseconds since 1970: messages of this day show the time of day, others the date.
    let now: Int64
    var usesUTC = false

    /// Returns the lines for an answer or an event of the API, or nil for one that has none here.
    func lines(of answer: JSONObject) -> [String]? {
        guard let type = answer["type"]?.string else { return nil }
        switch type {
        case "cmdOk": return ["ok"]
        case "chatStarted": return ["chat started"]
        case "chatRunning": return ["chat is running"]
        case "chatStopped": return ["chat stopped"]
        case "apiChats": return answer["chats"].map { [$0.line] }
        case "apiChat": return answer["chat"].map { [$0.line] }
        case "chatTags": return answer["userTags"].map { [$0.line] }
        case "versionInfo":
            return answer["versionInfo"]?.object?["version"]?.string.map { ["tacit \($0)"] }
        case "newChatItems": return items(of: answer, isListed: false)
        case "chatItems": return items(of: answer, isListed: true)
        case "chats": return previews(of: answer)
        default: return people(type, answer) ?? groups(type, answer) ?? links(type, answer)
        }
    }

    // MARK: - Profiles and contacts

    private func people(_ type: String, _ answer: JSONObject) -> [String]? {
        let user = answer["user"]?.object, contact = answer["contact"]?.object
        switch type {
        case "activeUser":
            return user?["profile"]?.object.map(TerminalText.profile)
        case "userProfile":
            return (answer["profile"]?.object ?? user?["profile"]?.object).map(TerminalText.profile)
        case "userProfileNoChange": return ["user profile did not change"]
        case "userProfileUpdated": return TerminalText.profileChange(answer)
        case "usersList": return answer["users"]?.array.map(TerminalText.users)
        case "contactsList":
            return answer["contacts"]?.array.map { contacts in
                TerminalText.sorted(contacts.compactMap(\.object)).map(TerminalText.contact)
            }
        case "contactInfo": return contact.flatMap { TerminalText.contactInfo($0, answer) }
        case "contactCode":
            guard let contact, let code = answer["connectionCode"]?.string else { return nil }
            let name = TerminalText.name(contact)
            return [
                "\(name) security code:", code,
                "pass this code to your contact and use /verify \(name) <code from your contact> to verify",
            ]
        case "connectionVerified":
            guard let isVerified = answer["verified"]?.bool else { return nil }
            let code = answer["expectedCode"]?.string ?? ""
            return [isVerified ? "connection verified" : "connection not verified, current code is \(code)"]
        case "contactDeleted": return contact.map { ["\(TerminalText.name($0)): contact is deleted"] }
        case "acceptingContactRequest":
            return contact.map { ["\(TerminalText.fullName($0)): accepting contact request..."] }
        case "contactRequestRejected":
            return answer["contactRequest"]?.object.map { ["\(TerminalText.name($0)): contact request rejected"] }
        case "contactAlreadyExists": return contact.map { ["\(TerminalText.fullName($0)): contact already exists"] }
        case "contactConnected": return contact.map { ["\(TerminalText.fullName($0)): contact is connected"] }
        case "chatCleared":
            guard let chat = answer["chatInfo"]?.object else { return nil }
            guard chat["type"]?.string != "local" else { return ["notes: all messages are removed"] }
            return TerminalText.target(chat).map { target in
                let name = chat["type"]?.string == "direct" ? String(target.dropFirst()) : target
                return ["\(name): all messages are removed locally ONLY"]
            }
        default: return nil
        }
    }

    private static func profile(_ profile: JSONObject) -> [String] {
        let name = profile["displayName"]?.string ?? ""
        let bot = profile["peerType"]?.string == "bot" ? " (bot)" : ""
        return ["user profile: \(quoted(name))\(detail(name, profile))\(bot)", "use /p <name> [<bio>] to change it"]
    }

    private static func profileChange(_ answer: JSONObject) -> [String]? {
        guard let before = answer["fromProfile"]?.object, let after = answer["toProfile"]?.object else { return nil }
        func text(_ profile: JSONObject, _ field: String) -> String { profile[field]?.string ?? "" }
        let summary = answer["updateSummary"]?.object
        let failures = summary?["updateFailures"]?.integer ?? 0
        let told =
            " (your \(summary?["updateSuccesses"]?.integer ?? 0) contacts are notified"
            + (failures > 0 ? ", \(failures) failures)" : ")")
        let name = text(after, "displayName")
        if text(before, "displayName") != name {
            return ["user profile is changed to \(quoted(name))\(detail(name, after))\(told)"]
        }
        let fullName = text(after, "fullName"), bio = text(after, "shortDescr")
        if text(before, "fullName") != fullName {
            let isRemoved = fullName.isEmpty || fullName == name
            return ["user full name \(isRemoved ? "removed" : "changed to \(fullName)")\(told)"]
        }
        if text(before, "shortDescr") != bio {
            return ["user bio \(bio.isEmpty ? "removed" : "changed to \(bio)")\(told)"]
        }
        if text(before, "image") != text(after, "image") {
            return ["profile image \(text(after, "image").isEmpty ? "removed" : "updated")"]
        }
        if text(before, "contactLink") != text(after, "contactLink") {
            return [text(after, "contactLink").isEmpty ? "contact address removed" : "new contact address set"]
        }
        return nil
    }

    private static func users(_ users: [JSONValue]) -> [String] {
        let rows: [(name: String, line: String)] = users.compactMap { value in
            guard let info = value.object, let user = info["user"]?.object else { return nil }
            let isActive = user["activeUser"]?.bool ?? false, isHidden = user["viewPwdHash"] != nil
            guard isActive || !isHidden, let name = user["localDisplayName"]?.string else { return nil }
            let profile = user["profile"]?.object ?? [:], unread = info["unreadCount"]?.integer ?? 0
            var facts: [String] = []
            if isActive { facts.append("active") }
            if isHidden { facts.append("hidden") }
            if user["showNtfs"]?.bool == false { facts.append("muted") }
            if unread != 0 { facts.append("unread: \(unread)") }
            let state = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
            let bot = profile["peerType"]?.string == "bot" ? " (bot)" : ""
            return (name.lowercased(), "\(quoted(name))\(detail(name, profile))\(state)\(bot)")
        }
        return rows.isEmpty ? ["no users"] : rows.sorted { $0.name < $1.name }.map(\.line)
    }

    private static func contact(_ contact: JSONObject) -> String {
        let isMuted = contact["chatSettings"]?.object?["enableNtfs"]?.string == "none"
        let muted = isMuted ? " (muted, you can /unmute @\(contact["localDisplayName"]?.string ?? ""))" : ""
        let alias = contact["profile"]?.object?["localAlias"]?.string ?? ""
        return incognito(contact) + fullName(contact) + muted + (alias.isEmpty ? "" : " (alias: \(alias))")
    }

    private static func contactInfo(_ contact: JSONObject, _ answer: JSONObject) -> [String]? {
        guard let id = contact["contactId"]?.integer else { return nil }
        let profile = contact["profile"]?.object ?? [:], connection = contact["activeConn"]?.object
        let stats = answer["connectionStats_"]?.object
        func servers(_ queues: String, _ server: String) -> String {
            let queues = stats?[queues]?.array?.compactMap(\.object) ?? []
            // Without the port.
            return queues.compactMap { queue in
                queue[server]?.string?.split(separator: "@").last?.split(separator: ":").first
            }.joined(separator: ", ")
        }
        var lines = ["contact ID: \(id)"]
        let receiving = servers("rcvQueuesInfo", "rcvServer"), sending = servers("sndQueuesInfo", "sndServer")
        if !receiving.isEmpty { lines.append("receiving messages via: \(receiving)") }
        if !sending.isEmpty { lines.append("sending messages via: \(sending)") }
        if let address = profile["contactLink"]?.string { lines.append("contact address: \(address)") }
        let own = answer["customUserProfile"]?.object?["displayName"]?.string
        lines.append(
            own.map { "you've shared incognito profile with this contact: \($0)" }
                ?? "you've shared main profile with this contact")
        let alias = profile["localAlias"]?.string ?? ""
        if !alias.isEmpty { lines.append("alias: \(alias)") }
        let isVerified = connection?["connectionCode"]?.object != nil
        lines.append(
            isVerified
                ? "connection verified" : "connection not verified, use /code command to see security code")
        if connection?["pqSndEnabled"]?.bool == true, connection?["pqRcvEnabled"]?.bool == true {
            lines.append("quantum resistant end-to-end encryption")
        }
        if let range = connection?["peerChatVRange"]?.object, let first = range["minVersion"]?.integer,
            let last = range["maxVersion"]?.integer
        {
            lines.append("peer chat protocol version range: (Version \(first), Version \(last))")
        }
        return lines
    }

    // MARK: - Groups

    private func groups(_ type: String, _ answer: JSONObject) -> [String]? {
        let group = answer["groupInfo"]?.object, name = group.map { "#\(TerminalText.name($0))" } ?? ""
        switch type {
        case "groupsList": return answer["groups"]?.array.map(TerminalText.groupList)
        case "groupCreated":
            return group.map { group in
                [
                    "group #\(TerminalText.fullName(group)) is created",
                    "to add members use /a \(TerminalText.name(group)) <name> or /create link \(name)",
                ]
            }
        case "groupInfo":
            guard let id = group?["groupId"]?.integer else { return nil }
            let summary = answer["groupSummary"]?.object ?? group?["groupSummary"]?.object
            return ["group ID: \(id)", "current members: \(summary?["currentMembers"]?.integer ?? 0)"]
        case "groupMembers": return TerminalText.members(answer)
        case "sentGroupInvitation":
            guard group != nil, let contact = answer["contact"]?.object else { return nil }
            return ["invitation to join the group \(name) sent to \(TerminalText.name(contact))"]
        case "leftMemberUser":
            return group.map { _ in ["\(name): you left the group", "use /d \(name) to delete the group"] }
        case "groupDeletedUser": return group.map { _ in ["\(name): you deleted the group"] }
        case "userAcceptedGroupSent": return []
        case "userDeletedMembers":
            guard group != nil, let members = answer["members"]?.array?.compactMap(\.object) else { return nil }
            let what =
                members.count == 1 ? members.first.map(TerminalText.name) ?? "" : "\(members.count) members"
            let messages = answer["withMessages"]?.bool == true ? " with all messages" : ""
            return ["\(name): you removed \(what) from the group\(messages)"]
        default: return nil
        }
    }

    private static func groupList(_ groups: [JSONValue]) -> [String] {
        // Each with its summary, which version 7.0 has in the group itself.
        let groups = groups.compactMap(\.object).map { entry in
            let summary: JSONObject = entry["groupSummary"].map { ["groupSummary": $0] } ?? [:]
            return entry["groupInfo"]?.object?.merging(summary) ?? entry
        }
        guard !groups.isEmpty else { return ["you have no groups!", "to create: /g <name>"] }
        return sorted(groups).map { group in
            let name = "#\(TerminalText.name(group))", alias = group["localAlias"]?.string ?? ""
            let status = group["membership"]?.object?["memberStatus"]?.string
            if status == "invited" {
                return "#\(fullName(group)) - you are invited (/j \(TerminalText.name(group)) to join, "
                    + "/d \(name) to delete invitation)"
            }
            let state: String
            switch status {
            case "rejected": state = "you are rejected, delete local copy: /d \(name)"
            case "removed": state = "you are removed, delete local copy: /d \(name)"
            case "left": state = "you left, delete local copy: /d \(name)"
            case "deleted": state = "group deleted, delete local copy: /d \(name)"
            default:
                let count = group["groupSummary"]?.object?["currentMembers"]?.integer ?? 0
                let muted =
                    switch group["chatSettings"]?.object?["enableNtfs"]?.string {
                    case "none": ", muted, you can /unmute \(name)"
                    case "mentions": ", mentions only, you can /unmute \(name)"
                    default: ""
                    }
                state = "\(count) member\(count == 1 ? "" : "s")\(muted)"
            }
            return incognito(group["membership"]?.object ?? [:]) + "#\(fullName(group)) (\(state))"
                + (alias.isEmpty ? "" : " (alias: \(alias))")
        }
    }

    private static func members(_ answer: JSONObject) -> [String]? {
        guard let whole = answer["group"]?.object, let group = whole["groupInfo"]?.object,
            let own = group["membership"]?.object, let others = whole["members"]?.array?.compactMap(\.object)
        else { return nil }
        return ([own] + others).compactMap { member in
            let status = member["memberStatus"]?.string ?? ""
            guard !["rejected", "removed", "left"].contains(status) else { return nil }
            var facts = [member["memberRole"]?.string ?? ""]
            switch member["memberCategory"]?.string {
            case "user": facts.append("you")
            case "invitee": facts.append("invited")
            case "host": facts.append("host")
            default: break
            }
            switch status {
            case "unknown": facts.append("status unknown")
            case "invited": facts.append("not yet joined")
            case "connected", "complete": facts.append("connected")
            case "creator": facts.append("created group")
            default: break
            }
            if member["blockedByAdmin"]?.bool == true {
                facts.append("blocked by admin")
            } else if member["memberSettings"]?.object?["showMessages"]?.bool == false {
                facts.append("blocked")
            }
            let profile = member["memberProfile"]?.object ?? [:], local = member["localDisplayName"]?.string ?? ""
            return "\(quoted(local))\(detail(local, profile)): \(facts.joined(separator: ", "))"
        }
    }

    // MARK: - Links

    private func links(_ type: String, _ answer: JSONObject) -> [String]? {
        switch type {
        case "invitation":
            return TerminalText.link(answer["connLinkInvitation"]).map { link in
                [
                    "pass this invitation link to your contact (via another channel): ", "", link.short ?? link.full,
                    "", "and ask them to connect: /c <invitation_link_above>",
                ] + (link.short == nil ? [] : ["The invitation link for old clients:", link.full])
            }
        case "userContactLinkCreated":
            return TerminalText.link(answer["connLinkContact"]).map {
                TerminalText.address("Your new chat address is created!", $0)
            }
        case "userContactLink":
            guard let address = answer["contactLink"]?.object, let link = TerminalText.link(address["connLinkContact"])
            else { return nil }
            return TerminalText.address("Your chat address:", link) + TerminalText.settings(of: address)
        case "userContactLinkUpdated":
            return answer["contactLink"]?.object.map(TerminalText.settings)
        case "userContactLinkDeleted":
            return [
                "Your chat address is deleted - accepted contacts will remain connected.",
                "To create a new chat address use /ad",
            ]
        case "sentConfirmation": return ["confirmation sent!"]
        case "sentInvitation", "sentInvitationToContact":
            return [
                answer["customUserProfile"]?.object == nil
                    ? "connection request sent!" : "connection request sent incognito!"
            ]
        case "groupLinkCreated": return TerminalText.groupLink("Group link is created!", answer)
        case "groupLink": return TerminalText.groupLink("Group link:", answer)
        case "groupLinkDeleted":
            return answer["groupInfo"]?.object.map { group in
                [
                    "Group link is deleted - joined members will remain connected.",
                    "To create a new group link use /create link #\(TerminalText.name(group))",
                ]
            }
        default: return nil
        }
    }

    private struct Link {
        let full: String
        let short: String?
    }

    private static func link(_ value: JSONValue?) -> Link? {
        guard let link = value?.object, let full = link["connFullLink"]?.string else { return nil }
        let scheme = "simplex:/"
        let whole = full.hasPrefix(scheme) ? "https://simplex.chat/" + full.dropFirst(scheme.count) : full
        return Link(full: whole, short: link["connShortLink"]?.string)
    }

    private static func address(_ intro: String, _ link: Link) -> [String] {
        [
            intro, "", link.short ?? link.full, "",
            "Anybody can send you contact requests with: /c <contact_link_above>", "to show it again: /sa",
            "to share with your contacts: /profile_address on",
            "to delete it: /da (accepted contacts will remain connected)",
        ] + (link.short == nil ? [] : ["The contact link for old clients: \(link.full)"])
    }

    private static func settings(of address: JSONObject) -> [String] {
        let settings = address["addressSettings"]?.object ?? address
        guard let acceptance = settings["autoAccept"]?.object else { return ["auto_accept off"] }
        let kind =
            settings["businessAddress"]?.bool == true
            ? ", business" : acceptance["acceptIncognito"]?.bool == true ? ", incognito" : ""
        let reply = settings["autoReply"]?.object?["text"]?.string
        let lines = reply.map { text in
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return ["auto_accept on\(kind)"] + (lines.map { ["auto reply:"] + $0 } ?? [])
    }

    private static func groupLink(_ intro: String, _ answer: JSONObject) -> [String]? {
        guard let group = answer["groupInfo"]?.object, let link = answer["groupLink"]?.object,
            let target = self.link(link["connLinkContact"])
        else { return nil }
        let name = "#\(TerminalText.name(group))", role = link["acceptMemberRole"]?.string ?? "member"
        return [
            intro, "", target.short ?? target.full, "",
            "Anybody can connect to you and join group as \(role) with: /c <group_link_above>",
            "to show it again: /show link \(name)",
            "to delete it: /delete link \(name) (joined members will remain connected to you)",
        ] + (target.short == nil ? [] : ["The group link for old clients: \(target.full)"])
    }

    // MARK: - Names

    /// Returns the name as commands take it: in quotes if it has a space, or ends with a punctuation mark.
    static func quoted(_ name: String) -> String {
        let endsWithMark = name.unicodeScalars.last.map { scalar in
            switch scalar.properties.generalCategory {
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation:
                true
            default: false
            }
        }
        return name.contains(where: \.isWhitespace) || endsWithMark == true ? "'\(name)'" : name
    }

    /// The name of a contact, a group, a member or a request.
    static func name(_ object: JSONObject) -> String { quoted(object["localDisplayName"]?.string ?? "") }

    /// The same with the full name or the description in brackets.
    private static func fullName(_ object: JSONObject) -> String {
        let profile = object["profile"]?.object ?? object["groupProfile"]?.object ?? object["memberProfile"]?.object
        return name(object) + detail(object["localDisplayName"]?.string ?? "", profile ?? [:])
    }

    private static func detail(_ name: String, _ profile: JSONObject) -> String {
        let fullName = profile["fullName"]?.string ?? ""
        if !fullName.isEmpty, fullName != name { return " (\(fullName))" }
        return profile["shortDescr"]?.string.map { " (\($0))" } ?? ""
    }

    private static func incognito(_ object: JSONObject) -> String {
        let connection = object["activeConn"]?.object
        let isIncognito =
            connection?["customUserProfileId"]?.integer != nil
            || object["memberProfile"]?.object?["profileId"] != nil
                && object["memberContactProfileId"]?.integer != object["memberProfile"]?.object?["profileId"]?.integer
        return isIncognito ? "i " : ""
    }

    private static func sorted(_ objects: [JSONObject]) -> [JSONObject] {
        objects.sorted {
            ($0["localDisplayName"]?.string ?? "").lowercased() < ($1["localDisplayName"]?.string ?? "").lowercased()
        }
    }

    /// The target of commands for a chat: `@bob`, `#team`; nil for the notes and others.
    static func target(_ chat: JSONObject) -> String? {
        switch chat["type"]?.string {
        case "direct": chat["contact"]?.object.map { "@\(name($0))" }
        case "group": chat["groupInfo"]?.object.map { "#\(name($0))" }
        default: nil
        }
    }
}
