import AgentProtocol
import ByteCoding
import ChatProtocol

/// Replaces the own chat relays of the active profile. Presets are not used beside them. (`/relays name=news https://.../r#...`)
public struct SetChatRelays: ChatCommand {
    /// A name for a relay, and its address.
    public var relays: [ChatRelay]

    public init(_ relays: [ChatRelay]) {
        self.relays = relays
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/relays", .relays, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(nil)
        var added = relays
        let changes = try core.store.chatRelays(of: profile.id).map { known in
            var change = known
            if let index = added.firstIndex(where: known.collides) {
                // One that stays is the same for its channels.
                (change.profile, change.isEnabled) = (added.remove(at: index).profile, true)
            } else if known.isPreset {
                change.isEnabled = false
            } else {
                change.isDeleted = true
            }
            return change
        }
        return try await UpdateServers(profile.id, [], relays: changes + added).perform(on: core)
    }
}

extension Argument where Command == SetChatRelays, Value == [ChatRelay] {
    /// `name=news https://.../r#...`: at least one.
    fileprivate static var relays: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var relays: [ChatRelay] = []
                repeat {
                    guard reader.skipExactly("name", "=") else { throw .invalid("name") }
                    let name = reader.name()
                    guard !name.isEmpty else { throw .invalid("name") }
                    relays.append(
                        ChatRelay(try ChatRelay.address(text: reader.word()), RelayProfile(displayName: name)))
                } while !reader.isAtEnd
                return relays
            },
            write: { command in
                guard !command.relays.isEmpty else { return nil }
                return command.relays.map { "name=\(CommandText.quoted($0.profile.displayName)) \($0.text)" }
                    .joined(separator: " ")
            })
    }
}
