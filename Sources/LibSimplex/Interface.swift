import ByteCoding
import ChatCore
import CryptoCore
import Glibc
import JSONCoding

// The C functions of simplex.h, with the names, arguments and results of the official library. Texts that they return belong to
// the caller, who frees them with free(3).

// MARK: - Controllers

/// Prepares the library. The arguments are those of another runtime and are not read.
@c(hs_init_with_rtsopts)
public func initialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) {
    LibraryProcess.prepare()
}

@c(chat_migrate_init)
public func openStore(
    _ path: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?, _ confirmation: UnsafePointer<CChar>?,
    _ controller: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> UnsafeMutablePointer<CChar>? {
    unsafe openStoreKeepingKey(path, key, 0, confirmation, 0, controller)
}

@c(chat_migrate_init_key)
public func openStoreKeepingKey(
    _ path: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?, _ keepsKey: CInt,
    _ confirmation: UnsafePointer<CChar>?, _ background: CInt,
    _ controller: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> UnsafeMutablePointer<CChar>? {
    LibraryProcess.prepare()
    unsafe controller?.pointee = nil
    let key = unsafe key.flatMap { text in
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
        return unsafe bytes.isEmpty ? nil : Secret(copying: bytes.bytes)
    }
    let request = StoreRequest(
        prefix: unsafe CText.read(path), key: key, keepsKey: keepsKey != 0,
        confirmation: unsafe CText.read(confirmation))
    switch Controller.open(request) {
    case .success(let opened):
        unsafe controller?.pointee = Controllers.add(opened)
        return unsafe CText.make(#"{"type":"ok"}"#)
    case .failure(let refusal): return unsafe CText.make(refusal.result.json.encoded)
    }
}

@c(chat_close_store)
public func closeStore(_ controller: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CChar>? {
    unsafe CText.make(Controllers.use(controller, or: LibraryError.text) { $0.close() ?? "" })
}

@c(chat_reopen_store)
public func reopenStore(_ controller: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CChar>? {
    unsafe CText.make(Controllers.use(controller, or: LibraryError.text) { $0.reopen() ?? "" })
}

// MARK: - Commands and events

@c(chat_send_cmd)
public func sendCommand(
    _ controller: UnsafeMutableRawPointer?, _ command: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    let text = unsafe CText.read(command)
    return unsafe CText.make(Controllers.use(controller, or: LibraryError.answer) { $0.send(text) })
}

@c(chat_send_cmd_retry)
public func sendCommandAgain(
    _ controller: UnsafeMutableRawPointer?, _ command: UnsafePointer<CChar>?, _ attempt: CInt
) -> UnsafeMutablePointer<CChar>? {
    unsafe sendCommand(controller, command)
}

@c(chat_send_remote_cmd)
public func sendRemoteCommand(
    _ controller: UnsafeMutableRawPointer?, _ host: CInt, _ command: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    unsafe CText.make(
        Controllers.use(controller, or: LibraryError.answer) { _ in LibraryError.remoteHost(Int64(host)) })
}

@c(chat_send_remote_cmd_retry)
public func sendRemoteCommandAgain(
    _ controller: UnsafeMutableRawPointer?, _ host: CInt, _ command: UnsafePointer<CChar>?, _ attempt: CInt
) -> UnsafeMutablePointer<CChar>? {
    unsafe sendRemoteCommand(controller, host, command)
}

@c(chat_recv_msg)
public func receiveEvent(_ controller: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CChar>? {
    unsafe CText.make(
        Controllers.use(controller, or: LibraryError.answer) { $0.receive(within: nil) ?? LibraryError.answer(.closed) }
    )
}

@c(chat_recv_msg_wait)
public func receiveEventWithin(
    _ controller: UnsafeMutableRawPointer?, _ microseconds: CInt
) -> UnsafeMutablePointer<CChar>? {
    let timeout: Duration? = microseconds < 0 ? nil : .microseconds(Int64(microseconds))
    return unsafe CText.make(
        Controllers.use(controller, or: LibraryError.answer) { $0.receive(within: timeout) ?? [] })
}

// MARK: - Texts

@c(chat_parse_markdown)
public func parseMarkdown(_ text: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? {
    unsafe CText.make(ParsedTexts.markdown(CText.read(text)).encoded)
}

@c(chat_parse_server)
public func parseServer(_ text: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? {
    unsafe CText.make(ParsedTexts.server(CText.read(text)).encoded)
}

@c(chat_parse_uri)
public func parseURI(_ text: UnsafePointer<CChar>?, _ safe: CInt) -> UnsafeMutablePointer<CChar>? {
    unsafe CText.make(ParsedTexts.uri(CText.read(text), isCautious: safe != 0).encoded)
}

@c(chat_password_hash)
public func passwordHash(
    _ password: UnsafePointer<CChar>?, _ salt: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    let bytes = unsafe password.map { unsafe Bytes(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
    return unsafe CText.make(ParsedTexts.passwordHash(bytes, salt: CText.read(salt)))
}

@c(chat_valid_name)
public func validName(_ name: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? {
    unsafe CText.make(ParsedTexts.validName(CText.read(name)))
}

@c(chat_json_length)
public func jsonLength(_ text: UnsafePointer<CChar>?) -> CInt {
    unsafe CInt(clamping: ParsedTexts.jsonLength(CText.read(text)))
}

// MARK: - Files

@c(chat_write_file)
public func writeFile(
    _ controller: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?, _ bytes: UnsafePointer<UInt8>?,
    _ count: CInt
) -> UnsafeMutablePointer<CChar>? {
    let content = unsafe UnsafeRawBufferPointer(start: bytes, count: unsafe bytes == nil ? 0 : max(0, Int(count)))
    let path = unsafe CText.read(path)
    return unsafe CText.make(FileKey.answer { key in try unsafe EncryptedFile(path, key).write(content) })
}

@c(chat_read_file)
public func readFile(
    _ path: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?, _ nonce: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<UInt8>? {
    do {
        let key = try unsafe FileKey(key: CText.read(key), nonce: CText.read(nonce))
        return try unsafe EncryptedFile(CText.read(path), key).readForCaller()
    } catch {
        let text = unsafe CText.make([1] + Bytes(FileKey.text(error).utf8))
        return unsafe UnsafeMutableRawPointer(text)?.assumingMemoryBound(to: UInt8.self)
    }
}

@c(chat_encrypt_file)
public func encryptFile(
    _ controller: UnsafeMutableRawPointer?, _ source: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    let source = unsafe CText.read(source), target = unsafe CText.read(target)
    return unsafe CText.make(FileKey.answer { key in try EncryptedFile(target, key).encrypt(source) })
}

@c(chat_decrypt_file)
public func decryptFile(
    _ source: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?, _ nonce: UnsafePointer<CChar>?,
    _ target: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    do {
        let key = try unsafe FileKey(key: CText.read(key), nonce: CText.read(nonce))
        try unsafe EncryptedFile(CText.read(source), key).decrypt(to: CText.read(target))
        return unsafe CText.make("")
    } catch {
        return unsafe CText.make(FileKey.text(error))
    }
}
