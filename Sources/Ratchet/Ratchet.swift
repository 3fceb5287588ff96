/// The end-to-end encryption of a connection: X3DH over X448 and the double ratchet with encrypted headers, e2e
/// versions 2 and 3.
///
/// - Agreement: each side makes ``X3DHPrivateKeys``. The initiator offers the public halves in a link
///   (``RatchetOffer``), the joiner answers with its own in the confirmation (``RatchetParameters``).
/// - State: ``RatchetState`` is what one side knows. It is a value: encrypting and decrypting return the next state,
///   and the caller replaces the old one only when it wants to, so a failed message changes nothing. The keys inside
///   are held by reference (`Secret`), so a copy of a state duplicates no key material.
/// - Skipped messages: ``SkippedKeys`` are the keys of messages that were overtaken. They are kept apart from the state
///   because there can be many: a ``SkippedKeyStore`` finds the one that a message needs. Decrypting returns a
///   ``SkippedKeys/Change``, and a store writes only that.
/// - Storage: ``RatchetState``, ``SkippedKey`` and ``X3DHPrivateKeys`` turn into a `Secret` and back.
/// - Post-quantum: in version 3 a KEM runs beside X448 (``KeyEncapsulation``, by default ``Sntrup761Encapsulation``): each
///   new chain takes a secret that one side encapsulated to a key of the other. It begins with the agreement, or with a
///   message that switches it on, and the peer declines it by being silent about it.
///
/// What it does not do: no clock, no storage, no decision when to re-synchronise (``RatchetError/resynchronization``
/// only says what an error means for that), no padding policy (the caller names the padded size).
///
/// ```swift
/// let (next, sealed) = try state.encrypting(message, paddedSize: 15840)
/// // one transaction: store `next`, queue `sealed`
///
/// let skipped = try state.skippedKeys(for: sealed, in: store)
/// let opened = try state.decrypting(sealed, skipped: skipped, random: keys)
/// // one transaction: store `opened.state`, apply `opened.skipped`, keep `opened.message`
/// ```
///
/// The rules follow the double ratchet with header encryption (Signal, The Double Ratchet Algorithm, section 4) and
/// X3DH (Signal, The X3DH Key Agreement Protocol) as SimpleX applies them.
public import ByteCoding

/// The versions of the end-to-end encryption.
public enum RatchetVersion {
    /// What this program speaks.
    public static let supported = VersionRange(2, 3)
    /// From this version on headers have a KEM field and lengths have two bytes.
    public static let postQuantum: UInt16 = 3
}
