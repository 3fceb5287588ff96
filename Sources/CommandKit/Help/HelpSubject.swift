extension CommandTree {
    /// The answer to `help`, `help COMMAND` and `help TOPIC`: a full page.
    public func help(about words: [String], width: Int = 80) throws(UsageError) -> String {
        if let topic = topics.first(where: { [$0.name] == words }) { return page(on: topic, width: width) }
        guard let command = command(at: words) else { throw unknownTopic(words) }
        return fullHelp(for: command, width: width)
    }

    private func page(on topic: Topic, width: Int) -> String {
        var page = HelpText(width: width)
        page.wrapped(topic.abstract)
        page.gap()
        page.paragraphs(topic.text)
        return page.text
    }

    private func unknownTopic(_ words: [String]) -> UsageError {
        let subject = words.joined(separator: " ")
        let commands = root.family.filter { !$0.isHidden && !$0.path.isEmpty }.map { $0.path.joined(separator: " ") }
        return .unknownTopic(
            subject, suggestions: Suggestion.closest(to: subject, among: commands + topics.map(\.name)))
    }
}
