extension Settings {
    /// Returns a command line with its alias expanded.
    ///
    /// Only the first word that is not an option can be an alias, and never the name of a command: an alias cannot
    /// change the meaning of a script. The expansion may start with another alias.
    ///
    /// - Throws: ``SettingsMistake`` for a loop.
    public func expanding(_ arguments: [String], in tree: CommandTree) throws(SettingsMistake) -> [String] {
        guard !isEmpty else { return arguments }
        var words = arguments, used: [Place] = []
        while let index = tree.indexOfCommand(in: words) {
            let word = words[index]
            guard tree.root.subcommand(word) == nil else { return words }
            guard let (expansion, place) = alias(word) else {
                guard let alias = used.last else { return words }
                throw SettingsMistake(
                    file: alias.file, line: alias.line,
                    .aliasOfNothing(
                        SettingKey(alias.key).name, word: word,
                        suggestions: Suggestion.closest(to: word, among: tree.visibleNames)))
            }
            guard !used.contains(place) else {
                throw SettingsMistake(file: place.file, line: place.line, .aliasLoop(word))
            }
            used.append(place)
            guard let replacement = ShellLine.words(of: expansion), !replacement.isEmpty else {
                throw SettingsMistake(
                    file: place.file, line: place.line,
                    tree.setting(named: place.key).flatMap { tree.invalid(expansion, for: $0) } ?? .aliasLoop(word))
            }
            words.replaceSubrange(index...index, with: replacement)
        }
        return words
    }

    /// Returns the aliases with their expansions, without those hidden by a command.
    public func aliases(in tree: CommandTree) -> [(name: String, words: String)] {
        all.compactMap { found in
            let key = SettingKey(found.place.key)
            guard key.section == CommandTree.aliasSection, tree.root.subcommand(key.name) == nil else { return nil }
            return (key.name, found.values.last ?? "")
        }
    }

    /// Returns the mistakes in aliases that only appear when they are used.
    public func aliasMistakes(in tree: CommandTree) -> [SettingsMistake] {
        aliases(in: tree).compactMap { name, words in
            guard ShellLine.words(of: words)?.isEmpty == false else { return nil }
            do throws(SettingsMistake) {
                _ = try expanding([name], in: tree)
                return nil
            } catch {
                return error
            }
        }
    }

    private func alias(_ name: String) -> (words: String, place: Place)? {
        found(["\(CommandTree.aliasSection).\(name)"]).map { ($0.values.last ?? "", $0.place) }
    }
}

extension CommandTree {
    /// Returns the index of the command's name among words, or nil.
    func indexOfCommand(in words: [String]) -> Int? {
        var index = words.startIndex
        while words.indices.contains(index), words[index] != "--" {
            guard ArgumentParser.isOption(words[index]) else { return index }
            let takesValue = root.options.contains { $0.takesValue && $0.isSpelled(words[index]) }
            let hasValue = words.indices.contains(index + 1) && ArgumentParser.isValue(words[index + 1])
            index += takesValue && hasValue ? 2 : 1
        }
        return nil
    }

    /// The names of the visible commands.
    var visibleNames: [String] { root.subcommands.filter { !$0.isHidden }.map(\.name) }
}
