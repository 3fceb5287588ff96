/// A mistake in the declaration of a command line. A test fails on each.
public struct ModelDefect: Hashable, Sendable, CustomStringConvertible {
    /// What is declared wrongly: `send`, `send --wait`, `help exit-codes`; empty for the program itself.
    public let subject: String
    public let mistake: Mistake

    public enum Mistake: Hashable, Sendable {
        /// Another command, option, argument, topic or field in the same place has this name, or this letter; or another
        /// report of this type has other fields.
        case duplicate(String)
        /// A command whose path does not continue that of the noun that holds it.
        case misplaced
        /// A name that is not made of lower-case words joined by `-`, an option or topic whose long name has fewer than
        /// two letters, an option letter that is neither a letter nor a digit, or a variable that does not begin with the
        /// name of the program.
        case badName
        /// The same long name has a value here and none in another command.
        case twoForms(otherwise: String)
        /// The same letter stands for another option in another command.
        case twoMeanings(of: Character, otherwise: String)
        case noAbstract
        /// An abstract with a final period, without a capital at the start, or with a line break.
        case badAbstract
        /// A verb that does not say what exit 0 means.
        case noPromise
        case noExample
        /// A line that does not call the program at all.
        case exampleWithoutCall(String)
        case brokenExample(String, UsageError)
        /// No example runs the command it stands at.
        case noExampleOfItself
        case undocumentedExit(Int32)
        case unknownTopic(String)
        case unknownDefaultVerb(String)
        case nounWithoutVerbs
        /// An argument behind one that may be missing or takes all words.
        case unreachableArgument
        /// A line that is never wrapped is longer than 80 columns (a line to paste: 100), or the abstract of a command longer
        /// than 72.
        case tooWide(String)
        /// A column of plain records that is no field, or one that is only kept for another.
        case unknownColumn(String)
        /// A field that is only kept for one that is not there, or that has other values.
        case badSuccessor(String)
        /// A time whose name does not end in `_at`, or something else with such a name.
        case badTimeName
        /// Another option gets its value from the same environment variable.
        case sharedVariable(String)
    }

    public init(_ subject: String, _ mistake: Mistake) {
        self.subject = subject
        self.mistake = mistake
    }

    public var description: String { "\(subject.isEmpty ? "the program" : subject): \(mistake)" }
}
