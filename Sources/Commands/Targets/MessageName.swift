package import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// A message, as it is written in a command line.
package enum MessageName: Hashable, Sendable {
    /// `m12`
    case id(ChatItemID)
    /// `last`: the newest one that fits.
    case last

    /// Reads a message; nil for a word that is neither an id nor `last`.
    package init?(_ word: some StringProtocol) {
        if word == MessageName.last.word {
            self = .last
        } else if let id = ObjectID.item(from: word) {
            self = .id(id)
        } else {
            return nil
        }
    }

    package var word: String {
        switch self {
        case .id(let id): ObjectID.text(id)
        case .last: "last"
        }
    }

    static let kind = ValueKind(
        ValueForm("ID", expected: "an id such as m12, or last", completing: .message), read: { MessageName($0) },
        write: { $0.word })

    /// The conversation of `last`, in commands whose line names no other.
    static let chat = Option<Target?>(
        "in", "Conversation of 'last'", .target(), defaultText: "all conversations", isCommon: true)
}

extension CommandSession {
    /// The message that a command line names.
    ///
    /// - Parameters:
    ///   - direction: The direction of the newest message that can be meant; nil for both.
    ///   - query: Where that is looked for.
    func message(
        _ name: MessageName, _ direction: ChatItem.Direction?, _ query: ItemQuery = ItemQuery()
    ) async throws -> LocatedItem {
        switch name {
        case .id(let id): return try await item(id)
        case .last:
            var query = query
            query.direction = direction
            query.count = 1
            guard let newest = try await items(query).last else { throw Reason.noLastMessage(direction) }
            return newest
        }
    }

    /// The messages that a command line names, each once, in the conversation of its option `--in`.
    func messages(_ names: [MessageName], _ direction: ChatItem.Direction?) async throws -> [LocatedItem] {
        var query = ItemQuery()
        if let target = invocation[MessageName.chat] {
            guard names.contains(.last) else { throw Failure.chatWithoutLast }
            query.chat = try await chat(target).reference
        }
        var found: [LocatedItem] = []
        for name in names {
            let located = try await message(name, direction, query)
            if !found.contains(where: { $0.item.id == located.item.id }) { found.append(located) }
        }
        return found
    }

    /// The message that a command line names, in the conversation of its option `--in`.
    func message(_ name: Positional<MessageName>, _ direction: ChatItem.Direction?) async throws -> LocatedItem {
        guard let located = try await messages([invocation[name]], direction).first else { throw ChatError.internal }
        return located
    }
}
