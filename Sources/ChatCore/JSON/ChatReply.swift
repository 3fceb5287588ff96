public import JSONCoding

/// How a program outside meets the core: the text of a command in, a JSON object out.
public enum ChatReply {
    /// `{"result":{...}}`
    public static func result(_ response: some ChatResponse) -> JSONObject {
        ["result": .object(response.json)]
    }

    /// `{"error":{...}}`
    public static func error(_ error: ChatError) -> JSONObject {
        ["error": error.json]
    }

    /// `{"event":{...}}`: something that happened while a command was carried out.
    public static func event(_ event: any ChatEvent) -> JSONObject {
        ["event": .object(event.json)]
    }
}
