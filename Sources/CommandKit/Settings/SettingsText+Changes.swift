extension SettingsText {
    /// The text with these values for a key, one line for each, and otherwise as it is. The last line with the key keeps its
    /// place and its comment; where there is none, the new lines go to the end of the section.
    ///
    /// - Parameter key: A section and a name, as in ``Entry/key``.
    /// - Returns: nil if a value holds control characters that have no spelling, or the key could not be read again.
    public func setting(_ key: String, to values: [String]) -> SettingsText? {
        let written = values.compactMap(SettingsLineReader.written)
        guard written.count == values.count, let first = written.first, let last = written.last,
            let dot = key.lastIndex(of: ".")
        else { return nil }
        let section = String(key[..<dot]), name = String(key[key.index(after: dot)...])
        let words = section.split(separator: ".", omittingEmptySubsequences: false).map(String.init) + [name]
        guard words.allSatisfy(SettingsLineReader.isName) else { return nil }
        func line(_ value: [UInt8]) -> [UInt8] {
            indentation(of: section) + Array("\(name) =".utf8) + (value.isEmpty ? [] : [0x20]) + value
        }
        let old = entries.filter { $0.key == key }
        guard let entry = old.last else { return adding(written.map(line), to: section) }
        var lines = removing(old.dropLast(), from: lines)
        let index = entry.line - 1 - old.dropLast().filter(isOnlyEntry).count
        // What stands behind the section in its line comes first.
        let isFirst = !isOnlyEntry(entry)
        let more = (isFirst ? written.dropFirst() : written.dropLast()).map(line)
        lines[index].replaceSubrange(entry.place, with: entry.fitting(isFirst ? first : last, into: lines[index]))
        lines.insert(contentsOf: more, at: isFirst ? index + 1 : index)
        return SettingsText(lines, like: self)
    }

    /// The text without a key, and otherwise as it is.
    public func removing(_ key: String) -> SettingsText {
        SettingsText(removing(entries.filter { $0.key == key }[...], from: lines), like: self)
    }

    // MARK: - Lines

    /// How far the entries of a section are indented.
    private func indentation(of section: String) -> [UInt8] {
        let others = entries.filter { $0.key.hasPrefix("\(section).") && isOnlyEntry($0) } + entries.filter(isOnlyEntry)
        return others.first.map { Array(lines[$0.line - 1].prefix($0.start)) } ?? []
    }

    private func firstLetter(of line: [UInt8]) -> Int {
        line.firstIndex { !$0.isBlank } ?? 0
    }

    /// Whether nothing but the entry, and perhaps a comment, stands in its line.
    private func isOnlyEntry(_ entry: Entry) -> Bool {
        firstLetter(of: lines[entry.line - 1]) == entry.start
    }

    private func removing(_ entries: ArraySlice<Entry>, from lines: [[UInt8]]) -> [[UInt8]] {
        var lines = lines
        for entry in entries.reversed() {
            if isOnlyEntry(entry) {
                lines.remove(at: entry.line - 1)
            } else {
                lines[entry.line - 1].removeSubrange(entry.start..<entry.place.upperBound)
                while lines[entry.line - 1].last?.isBlank == true { lines[entry.line - 1].removeLast() }
            }
        }
        return lines
    }

    private func adding(_ new: [[UInt8]], to section: String) -> SettingsText {
        var lines = lines
        guard let last = sections.lastIndex(of: section) else {
            let gap: [[UInt8]] = lines.last?.isEmpty ?? true ? [] : [[]]
            return SettingsText(lines + gap + [Array("[\(section)]".utf8)] + new, like: self)
        }
        // Empty lines at the end of a section part it from the next one, and so do the comments behind them.
        let first = sections[...last].lastIndex { $0 != section }.map { $0 + 1 } ?? 0
        let spoken = Set(entries.map { $0.line - 1 })
        let place = (first...last).last { spoken.contains($0) || lines[$0].contains(UInt8(ascii: "[")) } ?? last
        lines.insert(contentsOf: new, at: place + 1)
        return SettingsText(lines, like: self)
    }
}

extension SettingsText.Entry {
    /// The bytes of another value with the spaces that part it from the equals sign and from a comment.
    fileprivate func fitting(_ value: [UInt8], into line: [UInt8]) -> [UInt8] {
        let isCrowded = place.isEmpty && line.prefix(place.lowerBound).last == UInt8(ascii: "=")
        let touchesComment = line.dropFirst(place.upperBound).first.map { !$0.isBlank } ?? false
        return (isCrowded ? [0x20] : []) + value + (touchesComment ? [0x20] : [])
    }
}
