import Store

/// What one member of a group knows of another, as the apps store it since version 6.5: one byte in the vector of a member, at
/// the index of the other (network-7.md 9.9). Four bits are reserved, one is the direction, three are the status.
struct MemberRelation: Hashable {
    enum Status: UInt8 {
        case new
        case introduced
        /// The owner of the vector has reported the connection.
        case ownerConnected
        case otherConnected
        case connected
    }

    let status: Status
    /// True if the owner of the vector was there before and was introduced to the other, which is the newcomer.
    let isOwnerFirst: Bool

    init(_ status: Status, isOwnerFirst: Bool) {
        self.status = status
        self.isOwnerFirst = isOwnerFirst
    }

    /// Reads a byte of a vector; nil for an unknown status.
    init?(_ byte: UInt8) {
        guard let status = Status(rawValue: byte & 0x07) else { return nil }
        self.init(status, isOwnerFirst: byte & 0x08 == 0)
    }

    var byte: UInt8 { status.rawValue | (isOwnerFirst ? 0 : 0x08) }

    /// The state of the introduction; nil if there is none, or if the vector of the other member tells it.
    var introduction: Introduction.Status? {
        guard isOwnerFirst else { return nil }
        return switch status {
        case .new: nil
        case .introduced: .sent
        case .ownerConnected: .existingConnected
        case .otherConnected: .newcomerConnected
        case .connected: .connected
        }
    }

    /// The relation of a member to another with which it has this introduction.
    init(_ introduction: Introduction.Status, isOwnerFirst: Bool) {
        let status: Status =
            switch introduction {
            case .sent, .forwarded: .introduced
            case .existingConnected: isOwnerFirst ? .ownerConnected : .otherConnected
            case .newcomerConnected: isOwnerFirst ? .otherConnected : .ownerConnected
            case .connected: .connected
            }
        self.init(status, isOwnerFirst: isOwnerFirst)
    }
}
