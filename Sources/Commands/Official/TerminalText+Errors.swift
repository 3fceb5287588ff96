import JSONCoding

extension TerminalText {
    /// Returns the lines for an error of the API, or nil for one that has none here.
    func lines(ofError error: JSONObject) -> [String]? {
        switch error["type"]?.string {
        case "error": error["errorType"]?.object.flatMap(TerminalText.command)
        case "errorStore": error["storeError"]?.object.flatMap(TerminalText.store)
        default: nil
        }
    }

    private static func command(_ error: JSONObject) -> [String]? {
        func text(_ field: String) -> String { error[field]?.string ?? "" }
        switch error["type"]?.string {
        case "commandError": return ["bad chat command: \(text("message"))"]
        case "noActiveUser": return ["error: active user is required"]
        case "userExists": return ["user with the name \(quoted(text("contactName"))) already exists"]
        case "userUnknown": return ["user does not exist or incorrect password"]
        case "invalidDisplayName": return invalidName(text("displayName"), suggestion: text("validName"))
        case "chatNotStarted": return ["error: chat not started"]
        case "chatNotStopped": return ["error: chat not stopped"]
        case "chatStoreChanged": return ["error: chat store changed, please restart chat"]
        case "invalidConnReq":
            return [
                "", "Connection link is invalid, possibly it was created in a previous version.",
                "Please ask your contact to check /version and update if needed.",
            ]
        case "contactNotFound": return ["no contact \(quoted(text("contactName")))"]
        case "contactNotActive":
            return text("contactName").isEmpty ? nil : ["\(quoted(text("contactName"))): not active"]
        case "groupMemberUserRemoved": return ["you are no longer a member of the group"]
        case "groupMemberNotFound": return ["group doesn't have this member"]
        case "groupMemberNotActive": return ["your group connection is not active yet, try later"]
        case "fileNotFound": return ["file not found: \(text("message"))"]
        case "invalidChatItemUpdate": return ["cannot update this item"]
        case "invalidChatItemDelete": return ["cannot delete this item"]
        default: return nil
        }
    }

    private static func store(_ error: JSONObject) -> [String]? {
        func text(_ field: String) -> String { error[field]?.string ?? "" }
        switch error["type"]?.string {
        case "duplicateName": return ["this display name is already used by user, contact or group"]
        case "userNotFoundByName": return ["no user \(quoted(text("contactName")))"]
        case "contactNotFoundByName": return ["no contact \(quoted(text("contactName")))"]
        case "contactNotReady": return ["contact \(quoted(text("contactName"))) is not active yet"]
        case "groupNotFoundByName": return ["no group #\(quoted(text("groupName")))"]
        case "groupAlreadyJoined": return ["you already joined this group"]
        case "duplicateContactLink": return ["you already have chat address, to show: /sa"]
        case "userContactLinkNotFound": return ["no chat address, to create: /ad"]
        case "contactRequestNotFoundByName": return ["no contact request from \(quoted(text("contactName")))"]
        case "chatItemNotFoundByText": return ["message not found by text: \(text("text"))"]
        case "duplicateGroupLink":
            return error["groupInfo"]?.object.map {
                ["you already have link for this group, to show: /show link #\(name($0))"]
            }
        case "groupLinkNotFound":
            return error["groupInfo"]?.object.map { ["no group link, to create: /create link #\(name($0))"] }
        default: return nil
        }
    }

    /// The lines for a name that no profile can have.
    private static func invalidName(_ name: String, suggestion: String?) -> [String] {
        let error = name.isEmpty ? "display name can't be empty" : "invalid display name: \(quoted(name))"
        guard let suggestion, !suggestion.isEmpty else { return [error] }
        return [error, "you could use this one: \(quoted(suggestion))"]
    }
}
