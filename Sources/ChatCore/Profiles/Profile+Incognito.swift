import ChatProtocol
import CryptoCore

extension Profile {
    /// Makes up a profile for one connection, which says nothing about the user.
    ///
    /// Its name is never checked against names in use: a name that is drawn again must not depend on what others know.
    static func incognito(_ random: some RandomSource) -> Profile {
        Profile(displayName: RandomName.make(random))
    }
}
