public import JSONCoding

extension JSONObject {
    /// An object of the contract with scripts: its version and its type come first.
    public init(type: String) {
        self = ["v": 1, "type": .string(type)]
    }
}
