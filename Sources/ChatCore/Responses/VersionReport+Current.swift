import AgentProtocol
import ChatProtocol
import Ratchet
import SMPProtocol

extension VersionReport {
    /// The version of the official program whose API this program has.
    public static let api = "7.0.0.6"

    /// This program. The number is also in the changelog.
    public static let current = VersionReport(
        version: "0.1.0", chat: ChatVersion.supported, agent: AgentVersion.supported, smp: SMP.versions,
        ratchet: RatchetVersion.supported)
}
