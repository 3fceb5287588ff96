import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import XFTPProtocol

extension Vector {
    func x25519(_ key: String) throws -> X25519.PublicKey { try X25519.PublicKey(raw: self[key].bytes) }

    func authorizationKey() throws -> AuthorizationKey {
        let raw = self["raw"].bytes
        switch self["algorithm"].text {
        case "X25519": return .x25519(try X25519.PublicKey(raw: raw))
        case "Ed25519": return .ed25519(try Ed25519.PublicKey(raw: raw))
        default: return .ed448(try Ed448.PublicKey(raw: raw))
        }
    }

    func authorizationPrivateKey() throws -> AuthorizationPrivateKey {
        let secret = Secret(copying: self["private"].bytes)
        switch self["algorithm"].text {
        case "X25519": return .x25519(try X25519.PrivateKey(secret))
        default: return .ed25519(try Ed25519.PrivateKey(seed: secret))
        }
    }

    func ids(_ key: String) -> [EntityID] { self[key].list.map { EntityID($0.bytes) } }

    func fileCommand(_ tag: String) throws -> FileCommand {
        switch FileCommandTag(rawValue: tag) {
        case .fnew:
            let file = self["file"]
            return .fnew(
                NewChunk(
                    senderKey: try file["senderKey"].authorizationKey(), size: UInt32(file["size"].int),
                    digest: file["digest"].bytes,
                    recipientKeys: try self["recipientKeys"].list.map { try $0.authorizationKey() },
                    password: try field("basicAuth").map { try ServerPassword($0.text) }))
        case .fadd: return .fadd(try self["recipientKeys"].list.map { try $0.authorizationKey() })
        case .fget: return .fget(try x25519("dhKey"))
        case .fput: return .fput
        case .fdel: return .fdel
        case .fack: return .fack
        case .ping: return .ping
        case nil: fatalError("a command without a tag")
        }
    }

    func fileAnswer(_ tag: String) throws -> FileAnswer {
        switch FileAnswerTag(rawValue: tag) {
        case .sids: return .sids(senderID: EntityID(self["senderId"].bytes), recipientIDs: ids("recipientIds"))
        case .rids: return .rids(ids("recipientIds"))
        case .file: return .file(key: try x25519("serverDhKey"), nonce: Nonce(self["nonce"].bytes))
        case .ok: return .ok
        case .pong: return .pong
        case .err: return .err(try FileRelayError(decoding: Bytes(self["error"].text.utf8)))
        case nil: fatalError("a response without a tag")
        }
    }

    /// The key and nonce of an encrypted file.
    var fileKey: FileEncryptionKey {
        FileEncryptionKey(key: Secret(copying: self["key"].bytes), nonce: Nonce(self["nonce"].bytes))
    }
}

/// The recorded content of files: byte i = (i * 7 + 3) mod 256.
func recordedContent(_ count: Int) -> Bytes {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
}

/// Cuts bytes into parts of a size.
func parts(of bytes: Bytes, size: Int) -> [Bytes] {
    stride(from: 0, to: bytes.count, by: size).map { Bytes(bytes[$0..<min($0 + size, bytes.count)]) }
}
