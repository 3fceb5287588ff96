import AgentProtocol
import ByteCoding

/// A set of members of a group with one bit for each, by the distance of their numbers from that of the first one.
struct MemberSet: Hashable {
    /// The bits, the lowest of a byte first.
    private(set) var bytes: Bytes
    /// The number that has the first bit.
    let first: GroupMemberID

    /// The most members that the numbers of a group can span.
    private static let span: Int64 = 1 << 24

    init(_ bytes: Bytes = [], from first: GroupMemberID) {
        self.bytes = bytes
        self.first = first
    }

    func contains(_ id: GroupMemberID) -> Bool {
        guard let (index, bit) = place(of: id), index < bytes.count else { return false }
        return bytes[index] & bit != 0
    }

    /// Inserts a member. One whose number is too far away is left out.
    mutating func insert(_ id: GroupMemberID) {
        guard let (index, bit) = place(of: id) else { return }
        if index >= bytes.count { bytes += Bytes(repeating: 0, count: index + 1 - bytes.count) }
        bytes[index] |= bit
    }

    private func place(of id: GroupMemberID) -> (index: Int, bit: UInt8)? {
        let (distance, overflow) = id.number.subtractingReportingOverflow(first.number)
        guard !overflow, (0..<MemberSet.span).contains(distance) else { return nil }
        return (Int(distance / 8), 1 << UInt8(distance % 8))
    }
}
