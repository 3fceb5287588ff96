import AgentProtocol
import ByteCoding
import SMPProtocol

@testable import ChatCore

extension CommandSamples {
    /// Files of messages, and files by links.
    static func files(_ texts: HostileTexts) -> [any ChatCommand] {
        let profile = ProfileID(texts.number()), file = ChatFileID(texts.number()), path = "/\(texts.text())"
        let server = ConfiguredServer(
            address: ServerAddress(
                hosts: [.ipv4("127.0.0.1")], port: 5443, fingerprint: Bytes(repeating: 7, count: 32)))
        return [
            ReceiveFile(file),
            ReceiveFile(file, isApproved: texts.flag(), isEncrypted: texts.one(of: [nil, true, false]), to: path),
            SetFileToReceive(
                file, isApproved: texts.flag(), isEncrypted: texts.one(of: [nil, true, false])),
            CancelFile(file), CancelFile(file, declines: true), ShowFileStatus(file),
            SendFile(texts.text(), to: nil, isImage: texts.flag()),
            SendFile(texts.text(), to: texts.target(), isImage: texts.flag()),
            ForwardFile(file, to: texts.target(), isImage: texts.flag()), UploadFile(profile, texts.text()),
            UploadFile(profile, texts.text(), recipients: 7),
            DownloadFile(profile, "simplex:/file#/?desc=x", to: texts.text()),
            ShowFileLink("simplex:/file#/?desc=x"), ListFiles(), ListFiles(profile), ShowFile(file),
            WaitForFile(file, timeout: texts.duration()),
            PurgeFiles(before: Timestamp(milliseconds: 1_700_000_000_000), isDry: texts.flag()),
            PurgeFiles(profile, before: Timestamp(milliseconds: 1_700_000_000_000)),
            SetFileAcceptance(FileAcceptance()), SetFileAcceptance(.small), ShowFileAcceptance(),
            SetFileServers([]), SetFileServers([server, server]), ListFileServers(),
        ]
    }
}
