import Archive
import ByteCoding

extension FuzzTarget {
    /// Archives as they are imported: the list, the headers, and every content.
    static let archive = FuzzTarget(name: "archive") { input in
        var limits = ArchiveLimits()
        limits.total = 1 << 24
        guard let reader = try? ArchiveReader(ArchiveBytes(input), limits: limits) else { return }
        var names: Set<Bytes> = [], total = 0
        for entry in reader.entries {
            let text = entry.name.text
            promise(names.insert(entry.name.bytes).inserted, "a name that is there twice")
            promise(
                !text.hasPrefix("/") && !text.contains("\\") && !text.isEmpty
                    && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                        !["", ".", ".."].contains($0)
                    }, "a name that leads away")
            var content = reader.content(of: entry), size = 0
            while let portion = try? content.next() {
                size += portion.count
                promise(size <= entry.size, "more than the entry says")
            }
            total += entry.size
        }
        promise(total <= limits.total, "more than the limit")
    }
}
