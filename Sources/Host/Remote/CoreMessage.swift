public import ByteCoding
public import JSONCoding

/// What a core says to whoever is connected to it: one JSON object a line.
public enum CoreMessage: Hashable, Sendable {
    /// `{"tacit":"0.1.0","core":1}`: the first line. The number is that of this protocol.
    case greeting(version: Int64, program: String)
    /// `{"corrId":"7","result":{...}}`
    case result(JSONObject, id: String)
    /// `{"corrId":"7","error":{...}}`
    case error(JSONObject, id: String)
    /// `{"event":{...}}`: something happened in the store.
    case event(JSONObject)
    /// `{"effect":{...}}`: somebody else changed something in the store.
    case effect(JSONObject)
    /// `{"visit":"chat:c1"}`: a session is to go somewhere.
    case visit(String)
    /// Something of an older or newer version.
    case unknown

    /// The version of this protocol.
    public static let version: Int64 = 1

    /// Nil for what is no JSON object.
    public init?(decoding line: Bytes) {
        guard let fields = (try? JSONValue(decoding: line))?.object else { return nil }
        if let version = fields["core"]?.integer, let program = fields["tacit"]?.string {
            self = .greeting(version: version, program: program)
        } else if let id = fields["corrId"]?.string {
            if let result = fields["result"]?.object {
                self = .result(result, id: id)
            } else if let error = fields["error"]?.object {
                self = .error(error, id: id)
            } else {
                self = .unknown
            }
        } else if let event = fields["event"]?.object {
            self = .event(event)
        } else if let effect = fields["effect"]?.object {
            self = .effect(effect)
        } else if let place = fields["visit"]?.string {
            self = .visit(place)
        } else {
            self = .unknown
        }
    }

    public var json: JSONObject {
        switch self {
        case .greeting(let version, let program): ["tacit": .string(program), "core": .integer(version)]
        case .result(let result, let id): ["corrId": .string(id), "result": .object(result)]
        case .error(let error, let id): ["corrId": .string(id), "error": .object(error)]
        case .event(let event): ["event": .object(event)]
        case .effect(let effect): ["effect": .object(effect)]
        case .visit(let place): ["visit": .string(place)]
        case .unknown: [:]
        }
    }
}

/// What is asked of a core in another process: one JSON object a line.
public enum CoreRequest: Hashable, Sendable {
    /// `{"corrId":"7","cmd":"/_send @1 json [...]"}`: answered by a result or an error with the same id.
    case command(String, id: String)
    /// `{"corrId":"8","control":"stop"}`: something about the process itself.
    case control(CoreControl, id: String)
    /// `{"cancel":"7"}`: nobody waits for the answer any more, which comes all the same.
    case cancel(String)
    /// `{"events":true}`: whether events and effects are wanted.
    case events(Bool)
    /// Anything else. The id is there if the line had one.
    case unknown(id: String?)

    public init(decoding line: Bytes) {
        guard let fields = (try? JSONValue(decoding: line))?.object else {
            self = .unknown(id: nil)
            return
        }
        let id = fields["corrId"]?.string
        if let id, let text = fields["cmd"]?.string {
            self = .command(text, id: id)
        } else if let id, let control = CoreControl(fields) {
            self = .control(control, id: id)
        } else if let id = fields["cancel"]?.string {
            self = .cancel(id)
        } else if let isWanted = fields["events"]?.bool {
            self = .events(isWanted)
        } else {
            self = .unknown(id: id)
        }
    }

    public var json: JSONObject {
        switch self {
        case .command(let text, let id): ["corrId": .string(id), "cmd": .string(text)]
        case .control(let control, let id):
            JSONObject(dictionaryLiteral: ("corrId", .string(id))).merging(control.fields)
        case .cancel(let id): ["cancel": .string(id)]
        case .events(let isWanted): ["events": .bool(isWanted)]
        case .unknown: [:]
        }
    }
}

/// What is asked of the process that a core is in.
public enum CoreControl: Hashable, Sendable {
    /// To show that it takes requests.
    case ping
    case stop
    case reload
    /// What it is: its command, its number and since when.
    case status
    /// To know that a session is at the other end, which can be taken to places.
    case session
    /// That its session, or the one that came last beside it, goes somewhere.
    case visit(String)
    /// To say whether it is connected as these settings want it.
    case route([String: String])

    init?(_ fields: JSONObject) {
        switch fields["control"]?.string {
        case "ping": self = .ping
        case "stop": self = .stop
        case "reload": self = .reload
        case "status": self = .status
        case "session": self = .session
        case "visit":
            guard let place = fields["place"]?.string else { return nil }
            self = .visit(place)
        case "route":
            guard let settings = fields["settings"]?.object else { return nil }
            var texts: [String: String] = [:]
            for name in settings.names { texts[name] = settings[name]?.string }
            self = .route(texts)
        default: return nil
        }
    }

    var fields: JSONObject {
        switch self {
        case .ping: ["control": "ping"]
        case .stop: ["control": "stop"]
        case .reload: ["control": "reload"]
        case .status: ["control": "status"]
        case .session: ["control": "session"]
        case .visit(let place): ["control": "visit", "place": .string(place)]
        case .route(let texts):
            {
                var settings = JSONObject()
                for (name, text) in texts.sorted(by: { $0.key < $1.key }) { settings.set(name, text) }
                return ["control": "route", "settings": .object(settings)]
            }()
        }
    }
}
