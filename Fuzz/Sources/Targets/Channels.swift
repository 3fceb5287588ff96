import ByteCoding
import ChatProtocol
import JSONCoding

extension FuzzTarget {
    /// What stands behind the links of channels, their rosters, names, and the batches in which relays deliver.
    static let channels = FuzzTarget(name: "channels") { input in
        roundTrip(input, Roster.self)
        if let roster = try? Roster(decoding: input) { check(roster) }
        content(input, ContactLinkContent.self) { _ in }
        content(input, RelayLinkContent.self) { _ in }
        content(input, GroupLinkContent.self) { content in
            if let publicGroup = content.profile.publicGroup { check(publicGroup) }
        }
        name(String(decoding: input, as: UTF8.self))
        deliver(ChatPayload.elements(of: input).compactMap(raw))
    }

    private static func check(_ roster: Roster) {
        promise(roster.entries.count <= Roster.mostEntries, "\(roster.entries.count) members in a roster")
        promise(Set(roster.entries.map(\.id)).count == roster.entries.count, "a member is twice in a roster")
        promise(roster.entries.allSatisfy { Roster.roles.contains($0.role) }, "a roster gives another role")
        let file = roster.encoded
        let parts = Roster.chunks(of: file, under: SharedMessageID([1])).flatMap { chunk -> Bytes in
            guard case .data(_, let part) = chunk.content else { return [] }
            return part
        }
        promise(Bytes(parts) == file, "the chunks of a roster are not the roster")
    }

    private static func content<Content: LinkContent & Equatable>(
        _ input: Bytes, _ type: Content.Type, _ check: (Content) -> Void
    ) {
        guard let content = try? Content(linkContent: input) else { return }
        check(content)
        guard let bytes = try? content.linkContent(limit: ChatLimit.decompressed) else { return }
        promise(bytes.count <= ChatLimit.decompressed, "the content of a link is larger than its limit")
        promise((try? Content(linkContent: bytes)) == content, "\(type): its own content means something else")
    }

    private static func check(_ publicGroup: PublicGroup) {
        roundTrip(publicGroup.fields.encoded, { try PublicGroup(decoding: $0) }, \.fields.encoded)
        guard let claim = publicGroup.access?.claim else { return }
        roundTrip(claim.fields.encoded, { try DomainClaim(decoding: $0) }, \.fields.encoded)
        name(claim.domain)
    }

    /// A text in the place of a link, and as a claimed name.
    private static func name(_ text: String) {
        let names = SimplexName.named(by: text)
        promise(names.count <= 2 && Set(names.map(\.fullDomain)).count <= 1, "one text names several domains")
        for name in names + [SimplexName(.contact, domain: text)].compactMap(\.self) {
            promise(name.fullDomain.utf8.count <= 253, "a name is too long")
            promise(
                name.fullDomain.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 && !(0x41...0x5a).contains($0) },
                "a name has other letters")
            promise(SimplexName.named(by: name.text).contains(name), "a name is read as another: \(name.text)")
            var fields = JSONFields(name.domainFields)
            promise((try? SimplexName(name.kind, domain: &fields)) == name, "a domain means another name")
        }
    }

    /// The element as it stands in a batch.
    private static func raw(_ element: ChatElement) -> Bytes? {
        switch element.content {
        case .success(.message): element.signature?.encoded ?? element.bytes
        case .success(.chunk(let chunk)): chunk.encoded
        case .success(.forwarded(let forwarded, _)): forwarded.encoded
        case .failure: nil
        }
    }

    /// Elements in payloads for members mean the same as alone, in their order.
    private static func deliver(_ elements: [Bytes]) {
        let known = elements.filter { element in ChatPayload.elements(of: element).count == 1 }
        // With small limits several payloads come of them.
        for limit in [ChatLimit.message, 2000] {
            var left = known[...]
            for part in ChatPayload.binaryBatches(known, limit: limit) {
                switch part {
                case .tooLarge(let size):
                    promise(left.popFirst()?.count == size && size > limit, "a small element is too large")
                case .payload(let body, let count):
                    promise(body.count <= limit, "a payload of \(body.count) bytes, with a limit of \(limit)")
                    let read = ChatPayload.elements(of: body), alone = left.prefix(count)
                    left = left.dropFirst(count)
                    promise(
                        read == alone.flatMap { ChatPayload.elements(of: $0) },
                        "an element means something else in a delivery")
                }
            }
            promise(left.isEmpty, "\(left.count) elements are not delivered")
        }
    }
}
