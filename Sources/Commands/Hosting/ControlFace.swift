import CommandKit
import ControlSocket
import JSONCoding
import SystemIO
import TerminalKit

/// What a command looks like to whoever typed it in another process: told along with the request, so that its output can be
/// made here as if the command ran there.
struct ControlFace {
    /// The field of the request.
    static let field = "face"

    let output: StreamTraits
    let errors: StreamTraits
    /// The variables that options read their defaults from.
    let environment: [String: String]
    /// What opens the hidden profile that the command names.
    let profilePassword: String?
    /// What the configuration of that process says about commands; nil if it did not say.
    let settings: Settings?
    /// Its clock on the wall; nil if it did not say.
    let zone: ZoneRules?

    init(_ invocation: Invocation) {
        output = invocation.output.traits
        errors = invocation.errors.traits
        profilePassword = invocation.profilePassword.text
        // SECURITY: where keys are, and the password of a proxy, are no part of it.
        settings = invocation.settings.without(Set(ProgramSettings.all.map(\.declaration.key)))
        zone = .current
        environment = ControlFace.passed(invocation.environment)
    }

    /// A command of a session, which shows its output itself.
    init(_ command: HostedCommand) {
        output = command.output.traits
        errors = command.errors.traits
        profilePassword = command.profilePassword
        settings = nil
        zone = .current
        environment = ControlFace.passed(command.environment)
    }

    // SECURITY: keys open a store, and this one is open.
    private static func passed(_ environment: [String: String]) -> [String: String] {
        environment.filter { $0.key.hasPrefix("TACIT_") && !$0.key.hasPrefix("TACIT_KEY") }
    }

    /// Nil if it is malformed.
    init?(_ json: JSONValue?) {
        guard let fields = json?.object, let output = StreamTraits(fields["stdout"]),
            let errors = StreamTraits(fields["stderr"])
        else { return nil }
        self.output = output
        self.errors = errors
        var environment: [String: String] = [:]
        let variables = fields["environment"]?.object ?? [:]
        for name in variables.names { environment[name] = variables[name]?.string }
        self.environment = environment
        profilePassword = fields["profile_password"]?.string
        settings = fields["settings"].flatMap(Settings.init(json:))
        zone = fields["zone"].flatMap(ZoneRules.init)
    }

    var json: JSONValue {
        var variables = JSONObject()
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) { variables.set(name, value) }
        var json: JSONObject = ["stdout": output.json, "stderr": errors.json, "environment": .object(variables)]
        json.set("profile_password", profilePassword)
        json["settings"] = settings?.json
        json["zone"] = zone?.json
        return .object(json)
    }
}

extension ZoneRules {
    fileprivate init?(_ json: JSONValue) {
        let offsets = (json.array ?? []).compactMap { pair -> Offset? in
            guard let numbers = pair.array, numbers.count == 2, let begin = numbers.first?.integer,
                let seconds = numbers.last?.integer
            else { return nil }
            return Offset(begin: begin, seconds: seconds)
        }
        self.init(offsets)
    }

    fileprivate var json: JSONValue {
        .array(offsets.map { .array([.integer($0.begin), .integer($0.seconds)]) })
    }
}

extension StreamTraits {
    fileprivate init?(_ json: JSONValue?) {
        guard let fields = json?.object, let isTerminal = fields["terminal"]?.bool,
            let usesColor = fields["color"]?.bool
        else { return nil }
        let width = fields["width"]?.integer.flatMap { (1...10_000).contains($0) ? Int($0) : nil }
        self.init(isTerminal: isTerminal, width: width, usesColor: usesColor)
    }

    fileprivate var json: JSONValue {
        var json: JSONObject = ["terminal": .bool(isTerminal), "color": .bool(usesColor)]
        json.set("width", width)
        return .object(json)
    }
}
