/// The times and sizes that a relay goes by as a proxy.
package struct ProxyLimits: Sendable {
    /// How many other relays it has sessions with, those included that are being opened.
    package var relays = 1000
    /// How many PRXY and PFWD of one client may wait for an answer before its next commands have to wait.
    package var requestsPerClient = 32
    /// How many commands may wait for the answer of one relay, at 16 KB each.
    package var requestsPerRelay = 256
    /// How many commands may wait for an answer in all.
    package var requests = 4096
    /// How many of these sessions clients at one address (``IPNetwork``) may have caused.
    package var relaysPerAddress = 100
    /// How many sessions with other relays the clients at one address may open in a minute; one connection half of them.
    package var openingsPerMinute = 60
    /// How many connections are made to one address in a minute for relays that were not reached there before.
    package var connectionsPerHost = 10
    /// True if relays at addresses that are not public (``IPAddress/isPublic``) may be connected to.
    package var admitsPrivate = false
    /// When a session with another relay has to stand. A failure is reported exactly then, whenever it came.
    package var openingTime = Duration.seconds(10)
    /// How long to wait for the answer to a forwarded command.
    package var answerDeadline = Duration.seconds(30)
    /// How long a relay that owes answers may say nothing before its session is given up.
    package var silenceDeadline = Duration.seconds(30)
    /// For how long a relay that could not be reached is not tried again: whoever asks gets the same error at once.
    package var failurePause = Duration.seconds(30)
    /// After what time without commands a session may be ended to make room for another.
    package var spareTime = Duration.seconds(60)

    package init() {}
}
