import ChatCore
import JSONCoding
import TerminalKit

extension ChatEvent {
    /// The calls that the event asks for. A hook is told what `watch --json` prints.
    var hookCalls: [HookCall] {
        guard let profile = owner else { return [] }
        return hooks.map { trigger in
            switch trigger.subject {
            case .item(let item): trigger.call(MessageReport(item).json, profile, item)
            case .delivery(let item):
                trigger.call(SendReport(chat: item.chat, item: item.item).json, profile, item)
            case .event:
                HookCall(
                    hook: trigger.hook.rawValue, profileID: profile.id,
                    event: (EventReport(self)?.json ?? JSONObject(type: "event")).line,
                    objectID: notice?.objectID ?? chat?.objectID, chatID: chat?.objectID)
            }
        }
    }
}

extension HookTrigger {
    /// A call about an entry of a conversation.
    fileprivate func call(_ json: JSONObject, _ profile: OwnProfile, _ item: LocatedItem) -> HookCall {
        HookCall(
            hook: hook.rawValue, profileID: profile.id, event: json.line, objectID: ObjectID.text(item.item.id),
            chatID: item.chat.objectID)
    }
}

extension EventNotice {
    /// What it is about, unless that is the contact or group.
    fileprivate var objectID: String? {
        request?.objectID ?? connection.map { ObjectID.text($0.id) } ?? file.map { ObjectID.text($0.id) } ?? memberID
    }

    /// The member, if the event is about one and not about the group.
    private var memberID: String? {
        slug.hasPrefix("member.") ? member.map { ObjectID.text($0.id) } : nil
    }
}
