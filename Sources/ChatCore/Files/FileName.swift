import ByteCoding

/// The names of received files.
package enum FileName {
    /// The longest name in bytes, which leaves room for a number before the extension.
    private static let longest = 200

    /// Returns a name of one component for what a sender calls a file.
    ///
    /// SECURITY: a sender must not choose a folder, hide a file, or write control characters to a terminal.
    package static func safe(_ name: String) -> String {
        let separators: Set<Unicode.Scalar> = ["/", "\\", "\0"]
        let last = name.unicodeScalars.split(omittingEmptySubsequences: true) { separators.contains($0) }.last
        var safe = ""
        for scalar in last.map(Array.init) ?? [] { safe.unicodeScalars.append(isSafe(scalar) ? scalar : "_") }
        if safe.unicodeScalars.allSatisfy({ $0 == "." }) { return "file" }
        if safe.first == "." { safe = "_" + safe.dropFirst() }
        let short = shortened(safe)
        return isBlank(short) ? "file" : short
    }

    /// Returns a name of the database: unchanged if it is a single component of a path, otherwise a safe name.
    ///
    /// SECURITY: the maker of an archive chooses the names in it too.
    static func component(_ name: String) -> String {
        let isComponent =
            !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0) && name != "." && name != ".."
        return isComponent ? name : safe(name)
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
        default: !fillers.contains(scalar)
        }
    }

    /// Letters and symbols that show nothing.
    private static let fillers: Set<Unicode.Scalar> = [
        "\u{115F}", "\u{1160}", "\u{17B4}", "\u{17B5}", "\u{2800}", "\u{3164}", "\u{FFA0}",
    ]

    /// True if a name shows nothing.
    private static func isBlank(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy {
            $0 == "_" || $0 == "." || $0.properties.generalCategory == .spaceSeparator
        }
    }

    /// A name that is not too long, with its extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        var (stem, ending) = parts(of: name)
        if ending.utf8.count > 20 { (stem, ending) = (name[...], "") }
        while stem.utf8.count + ending.utf8.count > longest, !stem.isEmpty { stem.removeLast() }
        return stem.isEmpty ? "file" : String(stem + ending)
    }

    /// The name up to the extension, and the extension with its dot.
    private static func parts(of name: String) -> (Substring, Substring) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name[...], "") }
        return (name[..<dot], name[dot...])
    }

    /// The name, and those to try if it is taken: `name_1.txt`, `name_2.txt` and so on (chat.md 5.3).
    package static func candidates(_ name: String) -> [String] {
        let (stem, ending) = parts(of: name)
        return [name] + (1...999).map { "\(stem)_\($0)\(ending)" }
    }

    /// The last component of a path.
    static func last(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
