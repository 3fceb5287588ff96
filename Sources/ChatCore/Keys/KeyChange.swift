import CryptoCore
import PageCipher
import SystemIO

/// Gives a store another key: what opened it opens it no more.
///
/// The pages stay as they are, because the key that encrypts them stays; it is wrapped anew, in the headers of both
/// databases. First the new way is added to both, then the old one is taken from both, so that at every moment there is
/// one thing that opens both. What a crash leaves half done is finished by ``StoreFolder/finishChanges()``.
///
/// SECURITY: who has a copy of the files from before, and the key from before, can read what is written later too, if he
/// gets at the files again. Only `decrypt` and `encrypt` make new keys for the pages.
public enum KeyChange {
    /// Changes the key. The caller holds the ``StoreLock``.
    ///
    /// - Parameter opened: Opened with what is to be replaced, not kept in the keyring.
    public static func run(_ folder: StoreFolder, from opened: OpenedKey, to given: GivenKey) throws(ChatError) {
        guard let slot = opened.slot else { throw .database(.keyMissing) }
        do {
            let changed = try opened.slots.replacing(slot, by: given.credential, for: opened.key)
            try write(changed, to: folder)
            // Copies from before would still open with the old key.
            try folder.removeBackups()
            if let settled = changed.settled { try write(settled, to: folder) }
        } catch {
            throw ChatError(error)
        }
    }

    static func write(_ slots: KeySlots, to folder: StoreFolder) throws {
        // The chat database is the one that is asked: as soon as anything has changed, both keys open it.
        for path in folder.databases.reversed() where Files.exists(path) {
            try FileHeader.replaceSlots(of: path, by: slots)
        }
    }

    /// Finishes a change that was cut off; returns whether there was one.
    static func finish(_ folder: StoreFolder) throws -> Bool {
        var headers: [FileHeader] = []
        for path in folder.databases where Files.exists(path) {
            guard let header = try FileHeader.read(path) else { return false }
            headers.append(header)
        }
        guard let first = headers.first, let last = headers.last else { return false }
        let meant = KeySlots.newer(first.slots, last.slots)
        // A loss of power may have torn one half of a header: the other half has what belongs there.
        for (path, header) in zip(folder.databases.filter(Files.exists), headers)
        where try FileHeader.hasDamagedHalf(path) {
            try FileHeader.replaceSlots(of: path, by: header.slots)
        }
        guard headers.contains(where: { $0.slots != meant }) || meant.settled != nil else { return false }
        try write(meant, to: folder)
        try folder.removeBackups()
        if let settled = meant.settled { try write(settled, to: folder) }
        return true
    }
}
