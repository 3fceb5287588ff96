import ByteCoding
import CryptoCore
import Store
import SystemIO

/// Where a store is: on which machine, and in which files. The store keeps it, which tells a copy made by hand from the
/// original.
///
/// A copy on another machine has another machine and other inodes. A container that keeps its volume has the same inodes,
/// and what is restored on the same machine has the same machine, so both count as the original. Where the system does not
/// tell the machine nothing is concluded.
struct StorePlace: Hashable {
    /// A hash of the machine's identity: machine-id(5) asks programs not to give the identity itself away.
    let machine: Bytes
    /// The inodes of the chat database and of its folder.
    let database: UInt64
    let folder: UInt64

    init(machine: Bytes, database: UInt64, folder: UInt64) {
        self.machine = machine
        self.database = database
        self.folder = folder
    }

    /// Where a store is now; nil if the machine has no identity.
    init?(of folder: StoreFolder, on machine: MachineID?) throws(SystemError) {
        guard let machine else { return nil }
        self.machine = SHA256.hash(Bytes("tacit store place ".utf8) + Bytes(machine.text.utf8))
        database = try Files.status(folder.chatDatabase).inode
        self.folder = try Files.status(folder.path).inode
    }

    /// True if a store that was at `kept` came here by copying.
    func isCopy(of kept: StorePlace) -> Bool {
        machine != kept.machine && database != kept.database && folder != kept.folder
    }
}

extension ChatStore {
    /// Where the store was used last; nil if nowhere yet.
    func place() throws -> StorePlace? {
        try database.first("SELECT machine, database_inode, folder_inode FROM place") { row throws(StoreError) in
            StorePlace(
                machine: try row.bytes(), database: UInt64(bitPattern: try row.int64()),
                folder: UInt64(bitPattern: try row.int64()))
        }
    }

    /// Notes where the store is used; nil if that is not known, so that nothing is concluded from it.
    func setPlace(_ place: StorePlace?) throws {
        try database.run("DELETE FROM place")
        guard let place else { return }
        try database.run(
            "INSERT INTO place (only_row, machine, database_inode, folder_inode) VALUES (1, ?, ?, ?)", place.machine,
            Int64(bitPattern: place.database), Int64(bitPattern: place.folder))
    }

    /// True if the store was copied here by hand from the place that it knows.
    func isCopy(in folder: StoreFolder, on machine: MachineID?) throws -> Bool {
        guard let here = try StorePlace(of: folder, on: machine), let kept = try place() else { return false }
        return here.isCopy(of: kept)
    }

    /// Like ``isCopy(in:on:)``. Otherwise notes the place: a container has another machine the next time, and a change of the
    /// key other files.
    func settle(in folder: StoreFolder, on machine: MachineID?) throws -> Bool {
        guard let here = try StorePlace(of: folder, on: machine) else { return false }
        let kept = try place()
        if let kept, here.isCopy(of: kept) { return true }
        if here != kept { try transaction { try setPlace(here) } }
        return false
    }
}
