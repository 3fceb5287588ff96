import ByteCoding
import ChatProtocol
import JSONCoding

/// What a contact says about itself, as it stands in the database.
///
/// It is read when somebody asks for it, because lists of a thousand contacts show the names that they have here, and
/// reading a thousand profiles takes longer than all the rest of such a list.
struct StoredProfile: Hashable, Sendable {
    let text: String

    /// Without a name if the text is none that this program wrote.
    var profile: Profile { (try? Profile(decoding: Bytes(text.utf8))) ?? Profile(displayName: "") }
}

extension StoredProfile {
    init(_ profile: Profile) {
        self.init(text: profile.json.line)
    }
}
