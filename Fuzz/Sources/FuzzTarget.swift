import ByteCoding
import FoundationEssentials

/// A family of decoders that get the same hostile bytes.
///
/// Every decoder of a family reads every input: an input is then what would come over the wire, without a prefix that
/// chooses, and what libFuzzer learns for one decoder serves the others.
struct FuzzTarget: Sendable {
    let name: String
    /// Reads the bytes in every way, and traps if a decoder traps or a promise is broken.
    let run: @Sendable (Bytes) -> Void

    static let all = [
        transmissions, hellos, addresses, agent, links, linkRecords, ratchet, stored, chat, payloads, groups,
        compression, json, settings, certificates, screen, archive, chains, dates, receipts, proxyAnswers,
        commands, events, webSocket, markdown, xftp, pictures, fileOffers, databases, ownDatabases, uploads, http2,
        groupEvents, channels,
    ]

    /// The target that `TACIT_FUZZ_TARGET` names.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["TACIT_FUZZ_TARGET"] ?? ""
        guard let target = all.first(where: { $0.name == name }) else {
            fatalError("TACIT_FUZZ_TARGET must be one of \(all.map(\.name).joined(separator: ", "))")
        }
        return target
    }()
}
