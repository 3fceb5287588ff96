/// Returns true if two byte strings are equal, in a time that depends only on their lengths.
///
/// For authenticators, fingerprints and passwords, where the position of the first difference would help an attacker.
public func constantTimeEqual(_ left: Bytes, _ right: Bytes) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices {
        difference |= left[index] ^ right[index]
    }
    return difference == 0
}
