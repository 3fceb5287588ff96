import Store

/// The state of a store that goes on elsewhere: nothing in it may change.
///
/// It begins with ``StoreExport`` and is enforced by ``ChatCore``, which does not open such a store for writing.
public enum StoreFreeze {
    /// Lets a store go on. Returns whether it was frozen. The caller holds the ``StoreLock``.
    public static func end(in folder: StoreFolder, key: OpenedKey?) throws(ChatError) -> Bool {
        do { return try ChatStore(folder.chatDatabase, .readWrite, key?.key).thaw() } catch { throw ChatError(error) }
    }
}
