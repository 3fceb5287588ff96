public import ByteCoding
internal import COpenSSL

/// AES-256-GCM with a 16-byte IV (NIST SP 800-38D, smp-agent.md 0.8). The initial counter block is a hash of the IV.
public enum AESGCM {
    /// The size of a key in bytes.
    public static let keySize = 32
    /// The size of an IV in bytes.
    public static let ivSize = 16
    /// The size of a tag in bytes.
    public static let tagSize = 16

    /// A ciphertext, as long as its plaintext, with its tag.
    public struct Sealed: Hashable, Sendable {
        /// The tag, 16 bytes.
        public let tag: Bytes
        /// The ciphertext.
        public let ciphertext: Bytes

        /// Creates a sealed from its parts.
        public init(tag: Bytes, ciphertext: Bytes) {
            self.tag = tag
            self.ciphertext = ciphertext
        }
    }

    /// Encrypts `plaintext` and authenticates it together with `associated`.
    ///
    /// - Throws: ``CryptoError/invalidKey`` for a key or IV of another size, ``CryptoError/libraryFailed``.
    public static func seal(
        _ plaintext: Bytes, key: Secret, iv: Bytes, associated: Bytes
    ) throws(CryptoError) -> Sealed {
        let context = try CipherContext(key: key, iv: iv, encrypts: true)
        try context.authenticate(associated)
        let ciphertext = try context.update(plaintext)
        return Sealed(tag: try context.finishTag(), ciphertext: ciphertext)
    }

    /// Verifies `sealed` and `associated`, and decrypts.
    ///
    /// - Throws: ``CryptoError/authenticationFailed`` if the tag does not match.
    public static func open(
        _ sealed: Sealed, key: Secret, iv: Bytes, associated: Bytes
    ) throws(CryptoError) -> Bytes {
        guard sealed.tag.count == tagSize else { throw .authenticationFailed }
        let context = try CipherContext(key: key, iv: iv, encrypts: false)
        try context.authenticate(associated)
        let plaintext = try context.update(sealed.ciphertext)
        try context.verify(tag: sealed.tag)
        return plaintext
    }

    /// Returns `prefix`, the tag and the ciphertext of `message` padded to `size` bytes (see ``Padding``).
    ///
    /// The result is made in one piece of memory, without copies of the message. The parts of `associated` are
    /// authenticated in order.
    ///
    /// - Throws: ``CryptoError/messageTooLarge`` if the message does not fit.
    public static func sealPadded(
        _ message: Bytes, to size: Int, after prefix: Bytes = [], key: Secret, iv: Bytes, associated: [Bytes]
    ) throws(CryptoError) -> Bytes {
        guard Padding.fits(message.count, in: size) else { throw .messageTooLarge }
        let context = try CipherContext(key: key, iv: iv, encrypts: true)
        for piece in associated {
            try context.authenticate(piece)
        }
        let start = prefix.count + tagSize
        var succeeded = false
        let sealed = unsafe Bytes(unsafeUninitializedCapacity: start + size) { output, count in
            let output = UnsafeMutableRawBufferPointer(output)
            let padded = unsafe UnsafeMutableRawBufferPointer(rebasing: output[start..<start + size])
            unsafe output.copyBytes(from: prefix)
            unsafe Padding.write(message, into: padded)
            succeeded =
                unsafe context.update(UnsafeRawBufferPointer(padded), into: padded)
                && context.finish(tag: output.octets + prefix.count)
            count = succeeded ? start + size : 0
        }
        guard succeeded else { throw .libraryFailed }
        return sealed
    }

    /// Decrypts a tag and padded ciphertext of ``sealPadded(_:to:after:key:iv:associated:)`` and removes the padding.
    ///
    /// - Throws: ``CryptoError/authenticationFailed`` or ``CryptoError/invalidPadding``.
    public static func openPadded(
        _ sealed: ArraySlice<UInt8>, key: Secret, iv: Bytes, associated: [Bytes]
    ) throws(CryptoError) -> Bytes {
        guard sealed.count >= tagSize else { throw .authenticationFailed }
        let tag = Bytes(sealed.prefix(tagSize)), ciphertext = sealed.dropFirst(tagSize)
        let context = try CipherContext(key: key, iv: iv, encrypts: false)
        for piece in associated {
            try context.authenticate(piece)
        }
        var failure: CryptoError?
        let message = unsafe Bytes(unsafeUninitializedCapacity: ciphertext.count) { output, count in
            let output = UnsafeMutableRawBufferPointer(output)
            let padded = unsafe UnsafeMutableRawBufferPointer(rebasing: output[..<ciphertext.count])
            do throws(CryptoError) {
                let succeeded = unsafe ciphertext.withUnsafeBytes { unsafe context.update($0, into: padded) }
                guard succeeded else { throw .libraryFailed }
                try context.verify(tag: tag)
                count = try unsafe Padding.moveMessageToStart(of: padded)
            } catch {
                failure = error
                count = 0
            }
        }
        if let failure { throw failure }
        return message
    }
}

/// An OpenSSL cipher context of AES-256-GCM, wiped and freed at the end of its life.
@safe
private struct CipherContext: ~Copyable {
    private let context: OpaquePointer

    init(key: Secret, iv: Bytes, encrypts: Bool) throws(CryptoError) {
        guard key.count == AESGCM.keySize, iv.count == AESGCM.ivSize else { throw .invalidKey }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .libraryFailed }
        let direction: Int32 = encrypts ? 1 : 0
        let ready = unsafe key.withUnsafeBytes { key in
            unsafe EVP_CipherInit_ex2(context, Cipher.shared.pointer, nil, nil, direction, nil) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(AESGCM.ivSize), nil) == 1
                && EVP_CipherInit_ex2(
                    context, nil, key.octets, iv, direction, nil) == 1
        }
        guard ready else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .libraryFailed
        }
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    borrowing func authenticate(_ associated: Bytes) throws(CryptoError) {
        var count: Int32 = 0
        guard unsafe EVP_CipherUpdate(context, nil, &count, associated, Int32(associated.count)) == 1 else {
            throw .libraryFailed
        }
    }

    borrowing func update(_ input: Bytes) throws(CryptoError) -> Bytes {
        var succeeded = false
        let output = unsafe Bytes(unsafeUninitializedCapacity: input.count) { output, count in
            var written: Int32 = 0
            succeeded = unsafe EVP_CipherUpdate(context, output.baseAddress, &written, input, Int32(input.count)) == 1
            count = Int(written)
        }
        guard succeeded, output.count == input.count else { throw .libraryFailed }
        return output
    }

    /// Encrypts or decrypts `input` into `output` and returns true on success. `output` has the same size and may be
    /// the same memory.
    borrowing func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
        var written: Int32 = 0
        let status = unsafe EVP_CipherUpdate(context, output.octets, &written, input.octets, Int32(input.count))
        return status == 1 && written == input.count
    }

    borrowing func finishTag() throws(CryptoError) -> Bytes {
        var tag = Bytes(repeating: 0, count: AESGCM.tagSize)
        guard unsafe finish(tag: &tag) else { throw .libraryFailed }
        return tag
    }

    /// Ends an encryption and writes its 16-byte tag. Returns true on success.
    borrowing func finish(tag: UnsafeMutablePointer<UInt8>) -> Bool {
        var count: Int32 = 0
        return unsafe EVP_CipherFinal_ex(context, nil, &count) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagSize), tag) == 1
    }

    borrowing func verify(tag: Bytes) throws(CryptoError) {
        var expected = tag
        var count: Int32 = 0
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &expected) == 1,
            unsafe EVP_CipherFinal_ex(context, nil, &count) == 1
        else { throw .authenticationFailed }
    }
}

/// The cipher object of OpenSSL, looked up once: a look-up costs more than the encryption of a message.
@safe
private struct Cipher: @unchecked Sendable {
    // Safe because OpenSSL reference-counts the algorithm, never changes it, and this one is never freed.
    static let shared = Cipher()
    let pointer: OpaquePointer?

    init() {
        unsafe pointer = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    }
}
