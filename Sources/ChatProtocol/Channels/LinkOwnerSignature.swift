public import ByteCoding
public import JSONCoding

/// The proof that the sender of a link owns it, bound to the chat in which it is sent (`ownerSig`, network-7.md 9.12).
public struct LinkOwnerSignature: Hashable, Sendable {
    /// The id of the owner in the record of the link; nil for the root key.
    public let ownerID: Bytes?
    /// The chat: a letter of ``ElementSignature/Binding`` and its data.
    public let binding: Bytes
    /// The Ed25519 signature of the binding and the link.
    public let signature: Bytes
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a signature from its parts.
    public init(ownerID: Bytes?, binding: Bytes, signature: Bytes, otherFields: JSONObject = [:]) {
        self.ownerID = ownerID
        self.binding = binding
        self.signature = signature
        self.otherFields = otherFields
    }
}

extension LinkOwnerSignature: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        ownerID = try fields.optionalBytes("ownerId")
        binding = try fields.requiredBytes("chatBinding")
        signature = try fields.requiredBytes("ownerSig")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("ownerId", ownerID.map { Base64URL.encode($0) })
        fields.set("chatBinding", Base64URL.encode(binding))
        fields.set("ownerSig", Base64URL.encode(signature))
        return fields
    }
}

extension MessageContent {
    /// The content without the proof that its sender owns a link, unless the proof is bound to the chat in which it came.
    ///
    /// - Parameter bindings: The bindings of the chat.
    public func keepingOwnerSignature(boundTo bindings: [Bytes]) -> MessageContent {
        guard case .chat = kind, let given = otherFields["ownerSig"] else { return self }
        if let fields = given.object, let text = fields["chatBinding"]?.string,
            let binding = try? Base64URL.decode(text), bindings.contains(binding)
        {
            return self
        }
        var rest = otherFields
        rest["ownerSig"] = nil
        return MessageContent(text, kind: kind, otherFields: rest)
    }
}

extension ElementSignature.Binding {
    /// Returns the letter with its data, as proofs of links have it.
    public func bytes(_ data: Bytes) -> Bytes { [rawValue] + data }
}

extension ElementSignature {
    /// Returns the binding data of a channel as a whole.
    public static func channelBinding(_ publicGroupID: Bytes) -> Bytes {
        var writer = ByteWriter()
        writer.shortBytes(Bytes(publicGroupID.prefix(255)))
        return writer.bytes
    }
}
