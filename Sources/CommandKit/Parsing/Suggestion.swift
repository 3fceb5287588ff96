/// Suggestions ("did you mean") for mistyped words.
public enum Suggestion {
    /// Returns up to three of `candidates`, closest first, at a distance of at most 2 and less than half the word.
    public static func closest(to word: String, among candidates: some Sequence<String>) -> [String] {
        let found: [(distance: Int, candidate: String)] = Set(candidates).compactMap { candidate in
            let distance = distance(word, candidate)
            return distance > 0 && distance <= 2 && distance * 2 < word.count ? (distance, candidate) : nil
        }
        return found.sorted { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }.prefix(3).map(\.candidate)
    }

    /// Returns the edit distance of two words by inserting, removing, replacing, and swapping neighbours (optimal
    /// string alignment). Swapping is the most frequent typing error and counts as one.
    static func distance(_ first: String, _ second: String) -> Int {
        let left = Array(first), right = Array(second)
        // Words from scripts may be long, and words of different lengths are not close.
        guard abs(left.count - right.count) <= 2 else { return .max }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
