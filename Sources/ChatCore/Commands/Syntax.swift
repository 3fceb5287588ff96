import AgentProtocol
import ByteCoding
import JSONCoding

/// The text of a command: one or several forms, of which the first that can say a value prints it, and each is read.
public struct Syntax<Command: Sendable>: Sendable {
    let forms: [Form<Command>]

    init(_ forms: Form<Command>...) {
        self.forms = forms
    }

    /// The same form twice: `/_word 1 ...`, which names a profile by number, and `/word ...` for the active one.
    ///
    /// - Parameters:
    ///   - aliases: Other words for the second form.
    init<each Value: Sendable>(
        numbered word: String, _ profile: @escaping @Sendable (Command) -> ProfileID?, aliases: [String] = [],
        _ arguments: repeat Argument<Command, each Value>,
        make: @escaping @Sendable (ProfileID?, repeat each Value) -> Command
    ) {
        self.init(
            Form.numbered("/_\(word)", named: "/\(word)", profile, aliases: aliases, repeat each arguments, make: make))
    }

    init(_ forms: [Form<Command>]) {
        self.forms = forms
    }

    func text(of command: Command) -> String {
        for form in forms { if let text = form.write(command) { return text } }
        preconditionFailure("no form can say \(Command.self)")
    }
}

/// Fixed words and the values behind them: one description that prints and reads.
public struct Form<Command: Sendable>: Sendable {
    /// `/_update item`
    let words: String
    /// Reads what stands behind the words.
    let read: @Sendable (inout CommandReader) throws(DecodeError) -> Command
    /// Nil for a value that this form cannot say.
    let write: @Sendable (Command) -> String?

    /// - Parameter make: The command of the values, in the order of the arguments: `Self.init`.
    init<each Value: Sendable>(
        _ words: String, _ arguments: repeat Argument<Command, each Value>,
        make: @escaping @Sendable (repeat each Value) -> Command
    ) {
        self.words = words
        read = { reader throws(DecodeError) in
            let command = make(repeat try (each arguments).read(&reader))
            try reader.finish()
            return command
        }
        write = { command in
            var text = words
            for part in repeat each arguments {
                guard let written = part.write(command) else { return nil }
                if !written.isEmpty { text += text.isEmpty ? written : " \(written)" }
            }
            return text
        }
    }

    /// `/_get ttl 1` and `/get ttl`: by the number of a profile, and for the active one.
    static func numbered<each Value: Sendable>(
        _ words: String, named: String, _ profile: @escaping @Sendable (Command) -> ProfileID?, aliases: [String] = [],
        _ arguments: repeat Argument<Command, each Value>,
        make: @escaping @Sendable (ProfileID?, repeat each Value) -> Command
    ) -> [Form] {
        let number = Argument<Command, ProfileID?>.profile(profile)
        return [Form(words, number, repeat each arguments, make: make)]
            + ([named] + aliases).map { Form($0, .absent(profile), repeat each arguments, make: make) }
    }
}

extension Form where Command: Sendable {
    /// A form without values.
    init(_ words: String, make: @escaping @Sendable () -> Command) {
        self.words = words
        read = { reader throws(DecodeError) in
            try reader.finish()
            return make()
        }
        write = { _ in words }
    }
}

/// One value in a form.
struct Argument<Command: Sendable, Value: Sendable>: Sendable {
    let read: @Sendable (inout CommandReader) throws(DecodeError) -> Value
    /// Empty for what is left out, nil for what cannot be said.
    let write: @Sendable (Command) -> String?
}
