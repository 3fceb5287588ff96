import ByteCoding

/// A web address with the parts that decide about its use (RFC 3986).
///
/// A query may contain any character, as in the official applications.
public struct WebAddress: Hashable, Sendable {
    /// `http` or `https`.
    public let scheme: String
    /// The host without its port.
    public let host: String
    /// The path, empty or with a slash at its start.
    let path: String
    /// The parameters in order, as written.
    let parameters: [String]
    /// The part before the query.
    private let beginning: String
    /// The part from the number sign on, or an empty text.
    private let fragment: String

    /// An address that cannot be read or has an unsupported scheme.
    public struct Invalid: Error, Hashable {
        /// The reason in words.
        public let reason: String
    }

    /// Reads a text that consists of an address with a host that contains a dot.
    ///
    /// - Throws: ``Invalid``.
    public init(text: String) throws(Invalid) {
        var reader = TextReader(text)
        let scheme = reader.take { Self.isLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }
        guard let first = scheme.utf8.first, Self.isLetter(first), reader.skip(":") else {
            throw Invalid(reason: "Invalid URI: no scheme")
        }
        guard reader.skip("//") else {
            throw Invalid(reason: Self.isSupported(scheme) ? "No URI host" : "Unsupported URI scheme: \(scheme)")
        }
        let authority = reader.take { !"/?#".utf8.contains($0) }
        let path = reader.take { Self.isPathByte($0) }
        guard path.isEmpty || path.utf8.first == UInt8(ascii: "/") else { throw Invalid(reason: "Invalid URI: path") }
        let query = reader.skip("?") ? reader.take { $0 != UInt8(ascii: "#") } : nil
        let fragment = reader.skip("#") ? "#" + reader.take { Self.isPathByte($0) || $0 == UInt8(ascii: "?") } : ""
        guard reader.isAtEnd else { throw Invalid(reason: "Invalid URI: unexpected character") }
        guard Self.isSupported(scheme) else { throw Invalid(reason: "Unsupported URI scheme: \(scheme)") }
        host = try Self.host(authority)
        self.scheme = scheme
        self.path = path
        beginning = "\(scheme)://\(authority)\(path)"
        parameters = (query ?? "").split(separator: "&").filter { $0.first != "=" }.map(String.init)
        self.fragment = fragment
    }

    /// Reads `[USER@]HOST[:PORT]`.
    private static func host(_ authority: String) throws(Invalid) -> String {
        var reader = TextReader(authority)
        if authority.utf8.contains(UInt8(ascii: "@")) {
            _ = reader.take { isNameByte($0) || $0 == UInt8(ascii: ":") }
            guard reader.skip("@") else { throw Invalid(reason: "Invalid URI: user") }
        }
        let host = reader.take(while: isNameByte)
        guard !host.isEmpty else { throw Invalid(reason: "No URI host") }
        if reader.skip(":") {
            let port = reader.take(while: isDigit)
            guard !port.isEmpty else { throw Invalid(reason: "Invalid URI: port") }
        }
        guard reader.isAtEnd else { throw Invalid(reason: "Invalid URI: host") }
        guard host.utf8.contains(UInt8(ascii: ".")) else { throw Invalid(reason: "Invalid URI host: \(host)") }
        return host
    }

    private static func isSupported(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "%!$&'()*+,;=~-._".utf8.contains(byte)
    }

    private static func isPathByte(_ byte: UInt8) -> Bool { isNameByte(byte) || "/:@".utf8.contains(byte) }
}

// MARK: - Parameters that follow readers

extension WebAddress {
    /// Returns the address without the parameters that track readers, or nil if it has none.
    ///
    /// - Parameter isCautious: True to remove known trackers only. False to remove all parameters but those that are
    ///   known to matter, and the first one of a page with a name in lower case.
    public func sanitized(isCautious: Bool) -> String? {
        var isFirst = true
        let kept = parameters.filter { parameter in
            let name = String(parameter.prefix { $0 != "=" })
            defer { isFirst = false }
            if isCautious { return !isKnownTracker(name) }
            if matters(name) { return true }
            return isFirst && hasNamePath && !isLikelyTracker(name)
        }
        guard kept.count < parameters.count else { return nil }
        return beginning + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + fragment
    }

    /// True if the path names a page and contains no identifier.
    private var hasNamePath: Bool {
        path.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || "_-/".utf8.contains($0) }
    }

    private func isKnownTracker(_ name: String) -> Bool {
        WebAddress.trackerPrefixes.contains { name.hasPrefix($0) }
    }

    private func isLikelyTracker(_ name: String) -> Bool {
        isKnownTracker(name) || name.utf8.contains(UInt8(ascii: "_")) || name.hasSuffix("id")
            || name.hasPrefix("source")
    }

    private func matters(_ name: String) -> Bool {
        if WebAddress.usefulNames.contains(name) { return true }
        return WebAddress.usefulNamesOfHosts.contains { entry in
            (host == entry.host || host.hasSuffix("." + entry.host)) && entry.names.contains(name)
        }
    }

    private static let trackerPrefixes = [
        "ad", "af", "camp", "cmp", "dc", "dev", "ef_", "fb", "gad_", "gc", "gdf", "hsa_", "igsh", "li", "matomo_",
        "mc_", "mkwid", "msc", "mtm_", "pcrid", "piwik_", "pk_", "prom", "ref", "s_kw", "si", "src", "srs", "trk_",
        "tw", "utm", "ycl",
    ]
    private static let usefulNames = ["q", "search", "search_query", "lang", "list", "page", "text", "type"]
    private static let usefulNamesOfHosts: [(host: String, names: [String])] = [
        ("aliexpress.com", ["SearchText", "catId", "minPrice", "maxPrice"]), ("amazon.com", ["i", "rh", "k"]),
        ("baidu.com", ["wd"]), ("bing.com", ["mkt"]), ("github.com", ["author", "diff", "ref", "w"]),
        ("play.google.com", ["id"]), ("reddit.com", ["t"]), ("wikipedia.com", ["oldid", "uselang"]),
        ("x.com", ["f"]), ("yahoo.com", ["p"]), ("youtube.com", ["v", "t"]), ("youtu.be", ["t"]),
    ]
}
