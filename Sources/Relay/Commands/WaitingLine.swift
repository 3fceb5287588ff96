/// A queue of elements, first in, first out.
struct WaitingLine<Element> {
    private var elements: [Element] = []
    /// The index of the first element. Removed elements are dropped together, because dropping one moves all others.
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            head += 1
            if head == elements.count || head >= 256 {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }
}
