import ByteCoding

/// Switches operators on and off, by number. (`/operators 1:on,2:off`)
public struct SwitchOperators: ChatCommand {
    /// An operator, and whether its servers are used.
    public struct Switch: Hashable, Sendable {
        public let tag: ServerOperator.Tag
        public let isOn: Bool

        public init(_ tag: ServerOperator.Tag, _ isOn: Bool) {
            self.tag = tag
            self.isOn = isOn
        }
    }

    public var switches: [Switch]

    public init(_ switches: [Switch]) {
        self.switches = switches
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/operators", .switches, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> OperatorList {
        let known = try core.store.operators()
        let changed = switches.compactMap { choice -> ServerOperator? in
            guard let old = known.first(where: { $0.tag == choice.tag }) else { return nil }
            return ServerOperator(old.tag, isEnabled: choice.isOn, roles: old.roles, acceptance: old.acceptance)
        }
        return try await UpdateOperators(changed).perform(on: core)
    }
}

extension Argument where Command == SwitchOperators, Value == [SwitchOperators.Switch] {
    /// `1:on,2:off`: at least one.
    fileprivate static var switches: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var switches: [SwitchOperators.Switch] = []
                for word in reader.word().split(separator: ",", omittingEmptySubsequences: false) {
                    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
                    guard parts.count == 2, let tag = Int64(parts[0]).flatMap(ServerOperator.Tag.init(number:)),
                        let isOn = ["on": true, "off": false][String(parts[1])]
                    else { throw .invalid("operator") }
                    switches.append(SwitchOperators.Switch(tag, isOn))
                }
                return switches
            },
            write: { command in
                command.switches.isEmpty
                    ? nil : command.switches.map { "\($0.tag.number):\($0.isOn ? "on" : "off")" }.joined(separator: ",")
            })
    }
}

/// Accepts that a client showed the conditions to the user. Nothing is stored. (`/_conditions_notified 1`)
public struct NoteConditions: ChatCommand {
    /// The number of the conditions.
    public var number: Int64

    public init(_ number: Int64) {
        self.number = number
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_conditions_notified", .integer(\.number), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        CommandOK()
    }
}
