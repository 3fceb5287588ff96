import ChatCore
import Testing

/// The choice among things that have one name.
@Suite struct NameMatchTests {
    private struct Thing: Equatable {
        let id: Int
        var isLiving = true
    }

    private static func match(_ things: [Thing]) -> NameMatch<Thing> {
        NameMatch(things) { $0.isLiving }
    }

    @Test func aLivingOneWins() {
        let gone = Thing(id: 1, isLiving: false), living = Thing(id: 2), later = Thing(id: 3, isLiving: false)
        for things in [[living], [gone, living], [living, later], [gone, living, later]] {
            guard case .one(living) = Self.match(things) else {
                Issue.record("\(things)")
                continue
            }
            #expect(Self.match(things).newest == living)
        }
    }

    @Test func theNewestOfDepartedOnesIsMeant() {
        let things = [Thing(id: 1, isLiving: false), Thing(id: 2, isLiving: false)]
        guard case .one(let thing) = Self.match(things) else {
            Issue.record("none")
            return
        }
        #expect(thing.id == 2)
    }

    @Test func severalLivingOnesAreNamed() {
        let things = [Thing(id: 1), Thing(id: 2, isLiving: false), Thing(id: 3)]
        guard case .several(let living) = Self.match(things) else {
            Issue.record("one")
            return
        }
        #expect(living.map(\.id) == [1, 3])
        #expect(Self.match(things).newest?.id == 3)
    }

    @Test func nothingIsMeantByAnUnknownName() {
        guard case .none = Self.match([]) else {
            Issue.record("something")
            return
        }
        #expect(Self.match([]).newest == nil)
    }
}
