import CommandKit
import SystemIO

/// Paths as they are being typed.
enum PathCompletion {
    /// The files and folders that a beginning may mean. A folder ends with a slash.
    ///
    /// - Parameter home: The folder that `~/` stands for.
    static func candidates(for beginning: String, home: String?) -> [Offer.Candidate] {
        if beginning == "~" { return [.init("~/")] }
        let slash = beginning.lastIndex(of: "/").map { beginning.index(after: $0) } ?? beginning.startIndex
        let parent = String(beginning[..<slash]), typed = beginning[slash...]
        let folder = parent.isEmpty ? "." : expanded(parent, home: home)
        guard let names = try? Files.names(in: folder) else { return [] }
        return names.filter { name in
            // A name goes into the line: none that a terminal takes for something else.
            name.hasPrefix(typed) && (typed.hasPrefix(".") || !name.hasPrefix("."))
                && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }.map { name in
            .init(parent + name + (Files.isFolder("\(folder)/\(name)") ? "/" : ""))
        }
    }

    /// A path with the home folder in place of `~`.
    static func expanded(_ path: String, home: String?) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst(1)
    }
}
