import Store
public import SystemIO

/// The state of a store that goes on elsewhere: nothing in it may change.
///
/// It begins with ``StoreExport``, or with the copy that ``StoreMaintenance`` makes, and is enforced by ``LocalCore``, which does not
/// open such a store for writing. A copy that was made by hand is not frozen, since it may be all that is left.
public struct StoreFreeze: Hashable, Sendable {
    /// The export or backup that froze the store; nil if it is not frozen.
    public let mark: ExportMark?
    /// True if the store was copied from another machine by hand.
    public let isCopy: Bool

    /// Looks at a store. The caller holds the ``StoreLock``.
    public init(of folder: StoreFolder, key: OpenedKey?, machine: MachineID? = .current) throws(ChatError) {
        do {
            let store = try ChatStore(folder.chatDatabase, .readOnly, key?.key)
            mark = try store.freezingExport()
            isCopy = try store.isCopy(in: folder, on: machine)
        } catch {
            throw ChatError(error)
        }
    }

    /// Lets a store go on where it is now. The caller holds the ``StoreLock``.
    public static func end(
        in folder: StoreFolder, key: OpenedKey?, machine: MachineID? = .current
    ) throws(ChatError) {
        do {
            let store = try ChatStore(folder.chatDatabase, .readWrite, key?.key)
            try store.transaction {
                _ = try store.thaw()
                try store.setPlace(try StorePlace(of: folder, on: machine))
            }
        } catch {
            throw ChatError(error)
        }
    }
}
