import ByteCoding
import ChatProtocol
import Testing

@Suite struct RosterTests {
    private static func key(_ byte: UInt8) -> Bytes { Bytes(repeating: byte, count: 44) }

    private static let roster = Roster([
        Roster.Entry(MemberID(checked: [1, 2]), key: key(3), role: .member),
        Roster.Entry(MemberID(checked: [4]), key: key(5), role: .moderator),
        Roster.Entry(MemberID(checked: [6]), key: key(7), role: .admin),
    ])

    @Test func roster_has_the_form_of_the_reference() throws {
        let id = Bytes(repeating: 0x41, count: 16), key = RosterTests.key(9)
        let roster = Roster([Roster.Entry(MemberID(checked: id), key: key, role: .member)])
        #expect(roster.encoded == [0, 1, 16] + id + [44] + key + [6] + Bytes("member".utf8) + [0, 0])
        #expect(Roster([]).encoded == [0, 0])
        #expect(try Roster(decoding: roster.encoded) == roster)
    }

    @Test func no_part_of_a_roster_is_one() throws {
        let bytes = RosterTests.roster.encoded
        #expect(try Roster(decoding: bytes) == RosterTests.roster)
        for count in bytes.indices {
            #expect(throws: DecodeError.self) { try Roster(decoding: Bytes(bytes.prefix(count))) }
        }
        #expect(throws: DecodeError.self) { try Roster(decoding: bytes + [0]) }
    }

    @Test func changed_rosters_do_not_trap() {
        let bytes = RosterTests.roster.encoded
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                guard let read = try? Roster(decoding: changed) else { continue }
                #expect(read.entries.count <= 3)
            }
        }
    }

    @Test func first_entry_of_an_id_counts_and_other_roles_are_left_out() throws {
        let id = MemberID(checked: [1])
        let roster = Roster([
            Roster.Entry(id, key: RosterTests.key(1), role: .member),
            Roster.Entry(id, key: RosterTests.key(2), role: .admin),
            Roster.Entry(MemberID(checked: [2]), key: RosterTests.key(3), role: .owner),
            Roster.Entry(MemberID(checked: [3]), key: RosterTests.key(4), role: .observer),
        ])
        #expect(try Roster(decoding: roster.encoded).entries == [roster.entries[0]])
    }

    @Test func roster_has_at_most_256_entries() throws {
        let entries = (0..<257).map {
            Roster.Entry(MemberID(checked: [UInt8($0 / 256), UInt8($0 % 256)]), key: [1], role: .member)
        }
        #expect(try Roster(decoding: Roster(Array(entries.prefix(256))).encoded).entries.count == 256)
        #expect(throws: DecodeError.self) { try Roster(decoding: Roster(entries).encoded) }
    }
}
