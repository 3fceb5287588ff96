/// A part of a page of the manual: a heading, text, or a term with its meaning.
public enum ManualPart: Sendable {
    /// A heading, which is written in capitals.
    case heading(String)
    case subheading(String)
    /// Paragraphs separated by empty lines; an indented line stays as it is.
    case text(String)
    /// A word that can be typed, what may follow it, and its meaning.
    case term(String, String = "", meaning: String)
}
