/// An optional value in memory of its own, which its copies share.
///
/// Lists hold thousands of chats and entries and move them many times: what few of them have, or few look at, does not lie in
/// them.
@propertyWrapper
public struct Boxed<Value> {
    fileprivate final class Box {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box?

    public init(wrappedValue: Value?) {
        box = wrappedValue.map { Box($0) }
    }

    public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }
}

extension Boxed.Box: Sendable where Value: Sendable {}
extension Boxed: Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
    public static func == (left: Boxed, right: Boxed) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }
}

extension Boxed: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}
