import ByteCoding
import JSONCoding
import Navigation
import TestSupport
import Testing

@Suite struct LastPlaceTests {
    private static let home = HomeScreen(profile: 1, kind: .chats)

    private static func path(_ screens: any Screen..., home: HomeScreen = home) -> NavigationPath {
        var path = NavigationPath(home: home)
        for screen in screens { path.push(screen) }
        return path
    }

    private static let samples: [NavigationPath] = [
        NavigationPath(), path(), path(home: HomeScreen(profile: 2, kind: .conversation(-1))),
        path(
            ChatScreen(contact: 1), ContactScreen(contact: 1), ConnectionScreen(contact: 1),
            VerificationScreen(contact: 1), MessageScreen(contact: 1, message: 100), ChatScreen(.notes(7)),
            ContactScreen(.notes(7)), MessageScreen(.notes(7), message: 100), ChatScreen(.group(1)),
            RequestsScreen(profile: 1),
            AddressScreen(profile: 1), SettingsScreen(), SettingsScreen(.network)),
    ]

    @Test func stored_place_is_read_back() throws {
        for path in Self.samples {
            for position in [nil, 17] as [Int64?] {
                let place = LastPlace(path, position: position)
                #expect(try LastPlace(decoding: place.encoded) == place)
                #expect(place.screens == path.screens.dropFirst().map { $0 })
            }
        }
        let place = LastPlace(Self.path(ChatScreen(contact: 4)), position: 17)
        #expect(
            place.encoded
                == #"{"v":1,"screens":[{"screen":"home","profile":1},{"screen":"chat","contact":4}],"position":17}"#
        )
        #expect(
            LastPlace(Self.path(ChatScreen(.notes(7)))).encoded
                == #"{"v":1,"screens":[{"screen":"home","profile":1},{"screen":"chat","notes":7}]}"#)
    }

    @Test func damaged_place_is_rejected_or_different() {
        for path in Self.samples {
            // The version at index 5 may be any later one.
            Damage.check(Bytes(LastPlace(path, position: 3).encoded.utf8), ignoring: [5]) {
                try LastPlace(decoding: String(decoding: $0, as: UTF8.self))
            }
        }
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"v":1}"#, #"{"v":0,"screens":[]}"#, #"{"v":1,"screens":{}}"#, #"{"screens":[]}"#,
    ]) func whatIsNoPlaceIsRefused(text: String) {
        #expect(throws: DecodeError.self) { try LastPlace(decoding: text) }
    }

    @Test func unknown_screens_are_skipped() throws {
        let place = try LastPlace(
            decoding: """
                {"v":2,"new":true,"screens":[{"screen":"home","profile":1},{"screen":"group","group":3},7,
                {"screen":"chat"},{"screen":"settings","section":"keys"},{"contact":4}]}
                """)
        #expect(place.screens == [AnyScreen(Self.home), nil, nil, nil, AnyScreen(SettingsScreen()), nil])
    }

    @Test func longPlacesAreCut() throws {
        let screens = (0..<1_000).map { #"{"screen":"chat","contact":\#($0)}"# }.joined(separator: ",")
        let place = try LastPlace(decoding: #"{"v":1,"screens":[\#(screens)]}"#)
        #expect(place.screens.count == NavigationPath.maximumCount)
    }
}
