package import CryptoCore

/// A name for a profile that is made up: an adjective and a noun, as the apps make them, so that it tells nothing.
package enum RandomName {
    /// Draws a name with all pairs of words equally likely.
    package static func make(_ random: some RandomSource) -> String {
        draw(adjectives, random) + draw(nouns, random)
    }

    private static func draw(_ words: [String], _ random: some RandomSource) -> String {
        // The number of words divides 256: each is as likely as every other.
        let number = random.bytes(1).first.map(Int.init) ?? 0
        return words[number % words.count]
    }

    /// 64 words.
    package static let adjectives = [
        "Amber", "Ancient", "Arctic", "Autumn", "Blue", "Brave", "Bright", "Brisk", "Bronze", "Calm", "Candid",
        "Careful", "Clear", "Clever", "Cobalt", "Coral", "Cosmic", "Crimson", "Curious", "Daring", "Distant", "Eager",
        "Early", "Easy", "Electric", "Emerald", "Faithful", "Fearless", "Floral", "Frosty", "Gentle", "Gilded",
        "Golden", "Grand", "Green", "Hidden", "Honest", "Humble", "Ivory", "Jolly", "Keen", "Kind", "Lively", "Lucky",
        "Lunar", "Mellow", "Merry", "Misty", "Modest", "Noble", "Northern", "Patient", "Polar", "Proud", "Quick",
        "Quiet", "Rapid", "Rustic", "Scarlet", "Silent", "Silver", "Solar", "Steady", "Sunny",
    ]

    /// 64 words, none of which is an adjective above.
    package static let nouns = [
        "Acorn", "Anchor", "Antelope", "Apple", "Badger", "Bamboo", "Beacon", "Birch", "Bison", "Breeze", "Brook",
        "Canyon", "Cedar", "Cherry", "Cloud", "Comet", "Compass", "Crane", "Cricket", "Dolphin", "Eagle", "Ember",
        "Falcon", "Fern", "Finch", "Forest", "Fox", "Garden", "Glacier", "Harbor", "Hawk", "Hazel", "Heron", "Island",
        "Kestrel", "Lake", "Lantern", "Lark", "Leaf", "Lemon", "Lynx", "Maple", "Meadow", "Moon", "Mountain", "Oak",
        "Ocean", "Orchid", "Otter", "Owl", "Panda", "Pebble", "Pine", "Planet", "Poppy", "Rain", "Raven", "River",
        "Robin", "Sparrow", "Star", "Thunder", "Tulip", "Willow",
    ]
}
