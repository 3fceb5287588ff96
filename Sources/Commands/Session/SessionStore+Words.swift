import CommandKit

extension SessionStore {
    /// Returns commands similar to words that begin with neither a command nor an alias; nil for words that do.
    public func guesses(forUnknown words: [String]) -> [String]? {
        do {
            _ = try Configuration(environment).request(words, environment: environment)
            return nil
        } catch UsageError.unknownCommand(_, below: [], let guesses) {
            return guesses
        } catch {
            return nil
        }
    }
}
