/// The thing that a name means among all that have the name.
///
/// A living one wins over departed ones. Of departed ones the newest counts.
public enum NameMatch<Item> {
    case none
    case one(Item)
    /// Several living ones, in the given order.
    case several([Item])

    /// - Parameters:
    ///   - items: All that have the name, the oldest first.
    ///   - isLiving: Returns false for one that left or ended.
    public init(_ items: [Item], isLiving: (Item) throws -> Bool) rethrows {
        let living = try items.filter(isLiving)
        switch (living.count, living.first ?? items.last) {
        case (2..., _): self = .several(living)
        case (_, let item?): self = .one(item)
        case (_, nil): self = .none
        }
    }

    /// The newest that can be meant, for a caller that cannot ask which.
    public var newest: Item? {
        switch self {
        case .none: nil
        case .one(let item): item
        case .several(let items): items.last
        }
    }
}
