/// Whether two byte strings are equal, in a time that depends on their lengths only.
///
/// For authenticators, fingerprints, passwords: everywhere that the place of the first difference would help to guess.
public func constantTimeEqual(_ left: Bytes, _ right: Bytes) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices {
        difference |= left[index] ^ right[index]
    }
    return difference == 0
}
