import ChatCore
import Navigation
import TerminalKit

/// What draws a screen. There is one for each type of screen, in a file of its own and a line of ``ScreenViews``.
protocol ScreenView: Sendable {
    /// What is shown when somebody comes to the screen.
    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing
}

/// How much room there is.
struct DrawingArea: Sendable {
    let width: Int
    var height: Int
    /// The number of the profile that is open.
    var profile: Int64?
    /// The entry that was in sight when the screen was left.
    var position: Int64?
    /// The folder for files of the store.
    var filesFolder = ""
    /// The chats of a list that is on the screen already, in their order: who reads a number there types that number.
    var keptOrder: [ChatSubject] = []

    func rule(_ word: String) -> StyledText { MessageLines.rule(word, width: width, .heading) }

    /// A text of ours in rows.
    func text(_ text: String, _ style: Style = .plain) -> [StyledText] {
        text.wrapped(toWidth: width - 1).map { StyledText($0, style) }
    }
}

/// What a screen shows, and where one can go from there.
struct Drawing: Sendable {
    var lines: [StyledText] = []
    /// The things of a list, by the numbers in front of them from 1 on.
    var choices: [Choice] = []
    /// Commands whose output belongs to the screen.
    var commands: [[String]] = []
    /// What can be done here, in a line.
    var hint: String?
    /// The first and the last entry of a conversation that is shown.
    var shownItems: ClosedRange<Int64>?

    /// Whether the newest entries of a conversation are among them.
    var isAtEnd = true

    /// How entries go on below those that are shown.
    var messages: MessageLines?

    /// Whether it is a list and nothing else.
    var isList: Bool { !choices.isEmpty && commands.isEmpty && shownItems == nil }

    /// All rows, with the hint.
    func rows(_ area: DrawingArea) -> [StyledText] {
        lines + (hint.map { area.text($0, .muted) } ?? [])
    }

    /// A thing of a list.
    struct Choice: Sendable {
        let name: String
        let screen: (any Screen)?
        /// What `accept` and `reject` call it, if it is a request.
        let request: String?
        /// What it switches, and whether that is on.
        let change: (setting: SessionSwitch, isOn: Bool)?
        /// Whether its name means it also where a command is called the same: for names that this program gives.
        let winsOverCommands: Bool

        init(name: String, screen: any Screen, winsOverCommands: Bool = false) {
            (self.name, self.screen, self.winsOverCommands) = (name, screen, winsOverCommands)
            request = nil
            change = nil
        }

        /// Something that is on or off.
        init(_ setting: SessionSwitch, isOn: Bool) {
            name = setting.rawValue
            (screen, request, change, winsOverCommands) = (nil, nil, (setting, isOn), false)
        }

        /// Somebody who wants to be a contact.
        init(name: String, request: String) {
            (self.name, self.request) = (name, request)
            screen = nil
            change = nil
            winsOverCommands = false
        }
    }
}

/// All screens that can be shown. A new one gets its line here.
enum ScreenViews {
    static let registry: ScreenRegistry<any ScreenView> = {
        var registry = ScreenRegistry<any ScreenView>()
        registry.register(HubScreen.self) { _ in HubView() }
        registry.register(HomeScreen.self) { HomeView(screen: $0) }
        registry.register(ChatScreen.self) { ChatView(chat: ChatReference($0.chat)) }
        registry.register(ContactScreen.self) { ContactView(chat: ChatReference($0.chat)) }
        registry.register(ConnectionScreen.self) { ConnectionView(contact: $0.contact) }
        registry.register(VerificationScreen.self) { VerificationView(contact: $0.contact) }
        registry.register(MessageScreen.self) { MessageView(screen: $0) }
        registry.register(MembersScreen.self) { MembersView(group: GroupID($0.group)) }
        registry.register(MemberScreen.self) { MemberView(group: GroupID($0.group), member: GroupMemberID($0.member)) }
        registry.register(GroupLinkScreen.self) { GroupLinkView(group: GroupID($0.group)) }
        registry.register(GroupPreferencesScreen.self) { GroupPreferencesView(group: GroupID($0.group)) }
        registry.register(SupportScreen.self) { SupportView(group: GroupID($0.group)) }
        registry.register(SupportChatScreen.self) {
            SupportChatView(group: GroupID($0.group), member: GroupMemberID($0.member))
        }
        registry.register(RequestsScreen.self) { RequestsView(profile: $0.profile) }
        registry.register(AddressScreen.self) { AddressView(profile: $0.profile) }
        registry.register(SettingsScreen.self) { SettingsView(section: $0.section) }
        return registry
    }()
}
