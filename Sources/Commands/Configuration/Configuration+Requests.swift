import CommandKit

extension Configuration {
    /// What the words of a command line ask for, with what the configuration adds to them. A command that helps to mend the
    /// files does not fail because of them.
    func request(_ arguments: [String], environment: [String: String]) throws -> Request {
        let tree = CommandTree.tacit
        let words = try settings.expanding(arguments, in: tree)
        do {
            let request = try tree.parse(arguments: words, environment: environment, settings: settings)
            if case .run(let parsed) = request, Configuration.isNeeded(by: parsed.command),
                let mistake = mistakes.first
            {
                throw mistake
            }
            return request
        } catch let error as UsageError {
            if case .invalidValue(.setting, _, _, _) = error {
                let request = try tree.parse(arguments: words, environment: environment)
                guard case .run(let parsed) = request, Configuration.isNeeded(by: parsed.command) else {
                    return request
                }
            } else if let mistake = mistakes.first {
                // It may have been an alias.
                if case .unknownCommand(_, below: [], _) = error { throw mistake }
            }
            throw error
        }
    }

    /// How errors are printed about words that cannot be read as a whole.
    func printsJSON(_ arguments: [String], environment: [String: String]) -> Bool {
        let format = settings.found(["global.output"])?.values.last
        return arguments.contains("--json") || (environment["TACIT_FORMAT"] ?? format) == "json"
    }
}
