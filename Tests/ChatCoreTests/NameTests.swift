import ChatCore
import TestSupport
import Testing

/// Names of contacts.
@Suite struct NameTests {
    /// Nobody could tell them apart, whatever bytes they are made of.
    @Test func names_of_the_same_characters_are_the_same() throws {
        let house = try TestHouse()
        let alice = try house.person("alice")
        for name in ["jos\u{E9}", "jose\u{301}"] {
            let other = try house.person(name)
            try other.join(try alice.invite())
            for store in [other, alice, other] { _ = try store.fetch() }
        }
        #expect(try alice.contacts().map(\.name).sorted() == ["jos\u{E9}", "jose\u{301}_1"])
    }
}
