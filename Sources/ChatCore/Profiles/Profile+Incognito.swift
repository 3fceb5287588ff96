import Agent
import ChatProtocol

extension LocalCore {
    /// A profile for one connection, which says nothing about the user.
    ///
    /// It is never checked against names in use here: it stands for the user with somebody else, and a name that was drawn
    /// again must not depend on what others know.
    func newIncognito() -> Profile {
        Profile(displayName: RandomName.make(context.environment.random))
    }
}
