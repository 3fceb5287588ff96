extension CommandTree {
    /// The page about the objects that commands print in JSON mode.
    func reportsPage(_ edition: ManualPage.Edition) -> ManualPage {
        let abstract = "Objects that \(program) prints with --json"
        var roff = page(reportsPageName, 5, abstract, edition)
        roff.heading("Description")
        roff.paragraph(
            """
            With --json each line of output is one object in UTF-8, and an error is the last line of standard error. Every object \
            begins with v, the version of the form, which is 1, and with type, which says what the object is about.
            """)
        roff.paragraph(
            """
            Within a version fields and types are only added, and so are words that a field may hold: readers ignore what they \
            do not know. A field that is missing is unknown or does not apply; null is not used.
            """)
        roff.paragraph("Values are, as named below in parentheses:")
        for (name, meaning) in ReportForm.Kind.meanings { roff.term(name, meaning) }
        roff.paragraph("\(program) schema prints the same as JSON Schema, for programs.")
        roff.paragraph(
            """
            With --plain each line of output is a record with the columns that are named below, separated by tabs; --fields \
            chooses others. A column may be any field of the type, or a field inside of one: lock.pid. A field without a value \
            is empty. One with several values has a line for each, and one with inner fields a line NAME=VALUE for each; the \
            line breaks are written \\n, and an empty line stands between the objects of a list.
            """)
        roff.heading("Types")
        for form in reports { describe(form, in: &roff) }
        roff.heading("See also")
        roff.list([reference(program, 1)])
        return ManualPage(name: reportsPageName, section: 5, text: roff.text)
    }

    private func describe(_ form: ReportForm, in roff: inout RoffText) {
        roff.subheading(form.type)
        let printers = root.family.filter { $0.reports.contains { $0.type == form.type } }
            .map { invocation(of: $0.path) }
        roff.paragraph("\(form.abstract).")
        if !printers.isEmpty { roff.paragraph("Printed by \(printers.joined(separator: ", ")).") }
        if !form.plain.isEmpty { roff.paragraph("Plain columns: \(form.plain.joined(separator: ", ")).") }
        for field in form.fields { describe(field, in: &roff) }
    }

    private func describe(_ field: ReportForm.Field, in roff: inout RoffText, below parent: String = "") {
        let note = field.isOptional ? "\(field.kind.name), may be missing" : field.kind.name
        var meaning = "\(field.meaning)."
        if case .word(let words) = field.kind { meaning += " One of: \(words.joined(separator: ", "))." }
        roff.term("\(RoffText.bold(parent + field.name)) (\(note))", meaning)
        for part in field.kind.inner { describe(part, in: &roff, below: "\(parent)\(field.name).") }
    }
}

extension ReportForm.Kind {
    /// What it is called in the manual.
    fileprivate var name: String {
        switch self {
        case .text: "text"
        case .id: "id"
        case .time: "time"
        case .word: "word"
        case .flag: "flag"
        case .count: "number"
        case .size: "bytes"
        case .duration: "milliseconds"
        case .texts: "list of texts"
        case .numbers: "list of numbers"
        case .counts: "numbers by name"
        case .object: "object"
        case .objects: "list of objects"
        }
    }

    /// All names, and what they stand for.
    fileprivate static let meanings = [
        ("text", "A string."), ("id", "A string of a letter and a number, which stays the same for ever."),
        ("time", "A string in the form of RFC 3339, in UTC and with milliseconds."),
        ("word", "A string out of a list."), ("flag", "true or false."),
        ("number, bytes, milliseconds", "An integer from 0."), ("list of ...", "An array."),
        ("numbers by name", "An object whose values are integers from 0."), ("object", "An inner object."),
    ]
}
