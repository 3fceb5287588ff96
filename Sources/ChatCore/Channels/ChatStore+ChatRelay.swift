import AgentProtocol
import Store

extension ChatStore {
    /// The profile that is a chat relay. A store has at most one.
    func chatRelay() throws -> ProfileID? {
        try profiles().first(where: \.isChatRelay)?.id
    }

    /// The first of `NAME_1`, `NAME_2`... that no profile has.
    func freeProfileName(_ name: String) throws -> String {
        let names = Set(try profiles().map(\.name))
        var number = 1
        while names.contains("\(name)_\(number)") { number += 1 }
        return "\(name)_\(number)"
    }

    /// Makes a new profile a chat relay.
    func setChatRelay(_ id: ProfileID) throws {
        try setSessionValue("chat-relay-\(id.number)", "on")
    }
}
