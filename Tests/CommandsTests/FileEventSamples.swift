import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

@testable import ChatCore

extension EventSamples {
    /// At least one value of each event of files.
    static let files: [Sample] = receiving + sending

    private static let receiving: [Sample] = [
        (
            "file described",
            FileDescriptionEvent(
                profile: owner, item: carrying(.offered), file: transfer(.new),
                description: DescriptionPart("text", part: 2, isComplete: true))
        ),
        ("file begun", FileStartedEvent(profile: owner, item: carrying(.receiving(0, total: 1)))),
        (
            "file arriving",
            FileReceivingEvent(
                profile: owner, item: carrying(.receiving(5, total: 9)), file: transfer(.connected), receivedSize: 5,
                totalSize: 9)
        ),
        (
            "linked file arriving",
            FileReceivingEvent(
                profile: owner, item: nil, file: transfer(.connected), receivedSize: 5, totalSize: 9)
        ),
        ("file received", FileReceivedEvent(profile: owner, item: carrying(.received))),
        (
            "file withdrawn",
            FileWithdrawnEvent(profile: owner, item: carrying(.receivedCancelled), file: transfer(.cancelled))
        ),
        (
            "file gone",
            FileReceivingFailedEvent(
                profile: owner, item: carrying(.receivedError(.gone)), file: transfer(.new), problem: .gone)
        ),
        (
            "linked file blocked",
            FileReceivingFailedEvent(
                profile: owner, item: nil, file: transfer(.new),
                problem: .blocked(server: "xftp://AAAA@files.example.org", reason: "spam"))
        ),
        (
            "file delayed",
            FileReceivingDelayedEvent(
                profile: owner, item: carrying(.receivedWarning(.relay("files.example.org"))),
                file: transfer(.connected), problem: .relay("files.example.org"))
        ),
        (
            "file without room",
            FileReceivingDelayedEvent(
                profile: owner, item: carrying(.receivedWarning(.fullDisk)), file: transfer(.connected),
                problem: .fullDisk)
        ),
        (
            "file not approved",
            FileNotApprovedEvent(
                profile: owner, item: carrying(.offered), file: ChatFileID(4),
                servers: ["xftp://AAAA@files.example.org"])
        ),
        (
            "linked file received",
            LinkedFileReceivedEvent(profile: owner, path: "a.txt", file: transfer(.complete))
        ),
    ]

    private static let sending: [Sample] = [
        (
            "file leaving",
            FileSendingEvent(
                profile: owner, item: carrying(.sending(5, total: 9), .sent), file: sent, sentSize: 5, totalSize: 9)
        ),
        ("file sent", FileSentEvent(profile: owner, item: carrying(.sentComplete, .sent), file: sent)),
        (
            "file not sent",
            FileSendingFailedEvent(
                profile: owner, item: carrying(.sentError(.noFile), .sent), file: sent, problem: .noFile)
        ),
        (
            "file waits",
            FileSendingDelayedEvent(
                profile: owner, item: carrying(.sentWarning(.other("file.quota")), .sent), file: sent,
                problem: .other("file.quota"))
        ),
        ("linked file described", FileRedirectStartedEvent(profile: owner, file: sent, size: 900)),
        (
            "linked file sent",
            LinkedFileSentEvent(profile: owner, file: sent, links: ["simplex:/file#/?desc=a"])
        ),
    ]

    private static let sent = SentFileTransfer(
        id: ChatFileID(4), name: "a.txt", path: "/home/ann/a.txt", size: 7, isCancelled: false)

    private static func transfer(_ stage: ReceivedFileTransfer.Stage) -> ReceivedFileTransfer {
        let isPlaced = ![.new, .cancelled].contains(stage)
        return ReceivedFileTransfer(
            id: ChatFileID(4), name: "a.txt", size: 7, source: isPlaced ? CryptoFile(path: "a.txt") : nil, stage: stage,
            sender: "ann", isApproved: stage == .connected)
    }

    /// An entry with a file.
    private static func carrying(_ state: FileState, _ direction: ChatItem.Direction = .received) -> LocatedItem {
        let plain = located(7, direction: direction)
        var item = plain.item
        item.file = ChatFile(
            id: ChatFileID(4), name: "a.txt", size: 7,
            source: direction == .sent ? CryptoFile(path: "/home/ann/a.txt") : nil, transport: .xftp, state: state)
        return LocatedItem(chat: plain.chat, item: item)
    }
}
