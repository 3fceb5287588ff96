import AgentProtocol
import ChatProtocol
import JSONCoding

@testable import ChatCore

/// Values of each command, in which every text is hostile. What can be absent is absent in one of them.
enum CommandSamples {
    static func all(_ texts: HostileTexts) -> [any ChatCommand] {
        PeopleCommandSamples.all + random(texts)
    }

    /// Others for each seed.
    static func random(_ texts: HostileTexts) -> [any ChatCommand] {
        messages(texts) + program(texts)
    }

    /// Chats, messages, cursors, retention, outbox.
    static func messages(_ texts: HostileTexts) -> [any ChatCommand] {
        []
    }

    /// Network, contacts' connections, calls, sessions, the program.
    static func program(_ texts: HostileTexts) -> [any ChatCommand] {
        network(texts) + contacts(texts) + connections(texts) + calls(texts) + sessions(texts)
            + [ShowStatus(), ShowStatus(ProfileID(texts.number())), ShowVersion()]
    }

    private static func network(_ texts: HostileTexts) -> [any ChatCommand] {
        [
            FetchMessages(timeout: texts.duration(), idle: texts.duration()), FetchMessages(timeout: .seconds(60)),
            ReceiveMessages(), ReceiveMessages(timeout: texts.duration()),
            DeliverMessages(texts.target(), timeout: texts.duration()),
            WaitForItem(ChatItemID(texts.number()), timeout: texts.duration()),
            WaitForDelivery(of: ChatItemID(texts.number()), timeout: texts.duration()),
            WaitForConnection(
                ConnectionID(texts.number()), texts.one(of: ConnectionStage.allCases), timeout: texts.duration()),
        ]
    }

    private static func contacts(_ texts: HostileTexts) -> [any ChatCommand] {
        [
            ListContacts(), ListContacts(ProfileID(texts.number())),
            ShowContact(name: texts.text()), ShowContact(ProfileID(texts.number()), name: texts.text()),
            RenameContact(texts.target(), name: texts.text()), MuteContact(texts.target(), true),
            MuteContact(texts.target(), false), BlockContact(texts.target(), texts.flag()),
            DeleteContact(texts.target(), texts.one(of: ContactDeletion.allCases), notifies: texts.flag()),
            ShowSecurityCode(texts.target()), VerifySecurityCode(texts.target(), texts.text()),
            VerifySecurityCode(texts.target(), "12345 67890"), VerifySecurityCode(texts.target(), nil),
            SetPostQuantum(texts.target(), texts.flag()),
        ]
    }

    private static func connections(_ texts: HostileTexts) -> [any ChatCommand] {
        [
            SetReceipts(nil, texts.flag(), clearsContacts: texts.flag()),
            SetReceipts(ProfileID(texts.number()), texts.flag(), clearsContacts: texts.flag()),
            SetAllReceipts(texts.flag()), SetContactReceipts(texts.target(), texts.one(of: [true, false, nil])),
            SwitchQueue(texts.target()), AbortSwitch(texts.target()),
            SynchronizeRatchet(texts.target(), isForced: texts.flag()),
        ]
    }

    private static func calls(_ texts: HostileTexts) -> [any ChatCommand] {
        let session = CallSession(description: texts.text(), candidates: texts.text())
        let type = CallType(texts.one(of: [.audio, .video]), canEncrypt: texts.flag())
        let unknown: JSONObject = ["unknown": .string(texts.text())]
        return [
            ListCalls(), ListCalls(ProfileID(texts.number())),
            AcceptCall(texts.target(), CallOffer(type, session, key: texts.text(), otherFields: unknown)),
            AcceptCall(texts.target(), CallOffer(type, session)),
            RejectCall(texts.target()), EndCall(texts.target()),
        ]
    }

    private static func sessions(_ texts: HostileTexts) -> [any ChatCommand] {
        let key = texts.one(of: SessionKey.allCases)
        return [
            ShowSessionValue(key), SetSessionValue(key, texts.text()), SetSessionValue(key, nil),
            ShowDraft(texts.target()), SetDraft(texts.target(), nil),
            SetDraft(texts.target(), Draft(text: texts.text(), answers: ChatItemID(texts.number()))),
            SetDraft(texts.target(), Draft(text: texts.text())), AddLine(texts.text()),
            ListLines(count: texts.number(below: 5000)), CountUnread(), CountUnread(ProfileID(texts.number())),
            SetHome(nil, nil), SetHome(ProfileID(texts.number()), nil), SetHome(nil, ContactID(texts.number())),
            SetHome(ProfileID(texts.number()), ContactID(texts.number())),
            ShowOnboarding(), AdvanceOnboarding(to: texts.one(of: OnboardingStage.allCases)),
        ]
    }
}
