import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

extension ReceivedRequest {
    /// The type of its `ChatInfo`.
    static let chatType = "contactRequest"

    /// `AChat` of the API, with the message of the request. The message gets its number when the request is accepted.
    var chatJSON: JSONValue {
        let items = message.map { message in
            ChatItem(
                id: ChatItemID(0), chat: .direct(ContactID(0)), direction: .received,
                content: .message(message.content), status: .receivedNew, sharedID: message.id, time: createdAt,
                createdAt: createdAt, quote: nil, isForwarded: false, editedAt: nil, deletedAt: nil, reactions: [])
        }
        return .object(
            ChatPreview.fields(
                .object(["type": .string(ReceivedRequest.chatType), "contactRequest": json]),
                items.map { [$0] } ?? [], unreadCount: 0))
    }
}
