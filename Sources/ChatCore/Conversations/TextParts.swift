import ChatProtocol
import JSONCoding

/// A text in parts that fit into messages. Put together again, they are the text.
///
/// A part ends behind a line break if there is one in the second half of its room, else behind a space there, else between two
/// characters as a reader sees them. Only a single one that does not fit is taken apart, between two Unicode scalars.
struct TextParts {
    private let characters: [Character]
    private let costs: [Int]

    init(_ text: String) {
        let characters = Array(text)
        self.characters = characters
        costs = characters.map { TextParts.cost(of: $0) }
    }

    /// The parts.
    ///
    /// - Parameter room: The bytes for the text of the part with an index, as it stands in JSON. At least one scalar fits.
    func parts(room: (Int) -> Int) -> [String] {
        var parts: [String] = []
        var start = 0
        while start < characters.count {
            let room = room(parts.count)
            let end = self.end(from: start, room: room)
            if end > start {
                parts.append(String(characters[start..<end]))
                start = end
            } else {
                parts += TextParts.pieces(of: characters[start], room: room)
                start += 1
            }
        }
        return parts
    }

    /// Where a part ends that begins at an index; the same index if not even one character fits.
    private func end(from start: Int, room: Int) -> Int {
        var used = 0, index = start
        var line: Int?, word: Int?
        while index < characters.count, used + costs[index] <= room {
            used += costs[index]
            index += 1
            guard used * 2 >= room else { continue }
            let character = characters[index - 1]
            if character.isNewline { line = index } else if character.isWhitespace { word = index }
        }
        return index == characters.count ? index : line ?? word ?? index
    }

    private static func pieces(of character: Character, room: Int) -> [String] {
        var pieces: [String] = []
        var piece = "", used = 0
        for scalar in character.unicodeScalars {
            let cost = cost(of: Character(scalar))
            if used + cost > room, !piece.isEmpty {
                pieces.append(piece)
                (piece, used) = ("", 0)
            }
            piece.unicodeScalars.append(scalar)
            used += cost
        }
        return pieces + [piece]
    }

    /// The bytes of a character in a JSON string.
    private static func cost(of character: Character) -> Int {
        if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7f, ascii != 0x22, ascii != 0x5c { return 1 }
        return JSONValue.string(String(character)).line.utf8.count - 2
    }
}
