package import AgentProtocol
package import ByteCoding

extension OfficialAgent.Request {
    /// Creates a request that waits.
    package init(waiting link: ConnectionRequest, information: Bytes) {
        self.init(link: link, information: information, isAccepted: false)
    }
}
