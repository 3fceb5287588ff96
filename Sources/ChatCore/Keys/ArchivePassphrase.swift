import PageCipher

/// The passphrase of an archive: a further way to the key of the store, which only the databases in the archive have.
///
/// Who moves a store needs nothing but the archive and the passphrase. The store that the archive becomes gets a key of its
/// own then, and nothing else opens it.
extension OpenedKey {
    /// The key with which the databases of an archive are written. Blocks while Argon2id works.
    func adding(archivePassphrase given: GivenKey) throws(ChatError) -> OpenedKey {
        do throws(CipherError) {
            let slots = try slots.addingArchivePassphrase(given.credential, for: key)
            return OpenedKey(key: key, slots: slots, slot: slot)
        } catch {
            throw ChatError(error)
        }
    }

    /// True if the passphrase of an archive opened it.
    var isOfArchive: Bool { slot == KeySlots.archiveID }

    /// Takes the passphrase of an archive from the databases that were in it.
    ///
    /// - Parameter given: The only key of the store from now on; nil if the key of the exported store stays.
    func endArchivePassphrase(in folder: StoreFolder, for given: GivenKey?) throws {
        guard slots.hasArchivePassphrase else { return }
        guard let given else { return try KeyChange.write(slots.removing(KeySlots.archiveID), to: folder) }
        var changed = slots
        // The last one stays until there is another.
        for slot in slots.slots.dropLast() { changed = try changed.removing(slot.id) }
        changed = try changed.adding(given.credential, for: key)
        for slot in slots.slots.suffix(1) { changed = try changed.removing(slot.id) }
        try KeyChange.write(changed, to: folder)
    }
}

extension StoreProtection {
    /// True if the databases are those of an archive that has a passphrase of its own.
    public var hasArchivePassphrase: Bool { header.slots.hasArchivePassphrase }
}
