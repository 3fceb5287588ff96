import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// The commands about invitations, addresses and requests.
extension CoreCommand {
    /// Reads what follows `word`.
    static func address(_ word: String, from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        switch word {
        case "/_invitations": return .listInvitations(try reader.profileID())
        case "/invitations": return .listInvitations(nil)
        case "/_address": return .createAddress(try reader.profileID())
        case "/ad", "/address": return .createAddress(nil)
        case "/_show_address": return .showAddress(try reader.profileID())
        case "/sa", "/show_address": return .showAddress(nil)
        case "/_short_link_address": return .addShortLink(try reader.profileID())
        case "/short_link_address": return .addShortLink(nil)
        case "/_rotate_address": return .rotateAddress(try reader.profileID())
        case "/rotate_address": return .rotateAddress(nil)
        case "/_delete_address": return .deleteAddress(try reader.profileID())
        case "/da", "/delete_address": return .deleteAddress(nil)
        case "/_address_settings":
            let id = try reader.profileID()
            return .setAddress(id, try AddressSettings(decoding: Bytes(reader.rest().utf8)))
        case "/address_settings": return .setAddress(nil, try AddressSettings(decoding: Bytes(reader.rest().utf8)))
        case "/_auto_accept": return try autoAccept(try reader.profileID(), from: &reader)
        case "/auto_accept": return try autoAccept(nil, from: &reader)
        case "/_requests": return .listRequests(try reader.profileID())
        case "/requests": return .listRequests(nil)
        case "/_accept":
            let isIncognito = reader.isIncognito()
            return .accept(.id(RequestID(try reader.integer())), isIncognito: isIncognito)
        case "/ac", "/accept":
            let isIncognito = reader.isIncognito()
            return .accept(.name(try reader.requestName()), isIncognito: isIncognito)
        case "/_reject": return .reject(.id(RequestID(try reader.integer())))
        case "/rc", "/reject": return .reject(.name(try reader.requestName()))
        default: throw .invalid("command")
        }
    }

    /// `on`, perhaps with a welcome, or `off`
    private static func autoAccept(
        _ id: ProfileID?, from reader: inout CommandReader
    ) throws(DecodeError) -> CoreCommand {
        switch reader.word() {
        case "on":
            let welcome = reader.rest()
            return .setAddress(
                id, AddressSettings(accepts: true, welcome: welcome.isEmpty ? nil : MessageContent(welcome)))
        case "off": return .setAddress(id, AddressSettings())
        default: throw .invalid("switch")
        }
    }
}

extension CommandReader {
    /// A name that is not empty, with or without `@`.
    fileprivate mutating func requestName() throws(DecodeError) -> String {
        _ = skip("@")
        let name = name()
        guard !name.isEmpty else { throw .invalid("name") }
        return name
    }
}
