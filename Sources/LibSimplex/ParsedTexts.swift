import ByteCoding
import ChatCore
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPProtocol

/// The functions about texts, which need no store.
enum ParsedTexts {
    /// `ParsedMarkdown` of the API.
    static func markdown(_ text: String) -> JSONObject {
        var fields: JSONObject = [:]
        fields["formattedText"] = FormattedText.json(of: text)
        return fields
    }

    /// `ParsedServerAddress` of the API.
    static func server(_ text: String) -> JSONObject {
        let scheme = text.prefix { $0 != ":" }
        guard scheme == "smp" || scheme == "xftp",
            let server = try? ConfiguredServer(text: "smp" + text.dropFirst(scheme.count))
        else { return ["parseError": "not a server address"] }
        var address: JSONObject = ["serverProtocol": .string(String(scheme))]
        address.set("hostnames", server.address.hosts.map(\.description))
        address.set("port", server.address.port.map { "\($0)" } ?? "")
        address.set("keyHash", Base64URL.encode(server.address.fingerprint))
        address.set("basicAuth", server.password?.text ?? "")
        return ["serverAddress": .object(address), "parseError": ""]
    }

    /// `ParsedUri` of the API.
    static func uri(_ text: String, isCautious: Bool) -> JSONObject {
        do throws(WebAddress.Invalid) {
            let address = try WebAddress(text: text)
            var info: JSONObject = ["scheme": .string(address.scheme)]
            info.set("sanitized", address.sanitized(isCautious: isCautious))
            return ["uriInfo": .object(info), "parseError": ""]
        } catch {
            return ["parseError": .string(error.reason)]
        }
    }

    /// The SHA-512 of a password with a salt, both in base64url; empty for an invalid salt.
    static func passwordHash(_ password: Bytes, salt: String) -> String {
        guard let salt = try? Base64URL.decode(salt) else { return "" }
        return Base64URL.encode(SHA512.hash(password + salt))
    }

    /// The name without the characters that no name has.
    static func validName(_ name: String) -> String {
        Profile.DisplayName.suggestion(for: name)?.text ?? ""
    }

    /// The size of a text in JSON in bytes, without the quotation marks.
    static func jsonLength(_ text: String) -> Int {
        text.utf8.reduce(0) { sum, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                sum + 2
            case ..<0x20: sum + 6
            default: sum + 1
            }
        }
    }
}
