/// The list of all types of screens.
public enum ScreenCatalogue {
    /// The types, the most frequent first.
    public static let all: [any Screen.Type] = [
        HubScreen.self,
        HomeScreen.self,
        ChatScreen.self,
        ContactScreen.self,
        ConnectionScreen.self,
        VerificationScreen.self,
        MessageScreen.self,
        MembersScreen.self,
        MemberScreen.self,
        GroupLinkScreen.self,
        GroupPreferencesScreen.self,
        SupportScreen.self,
        SupportChatScreen.self,
        RequestsScreen.self,
        AddressScreen.self,
        SettingsScreen.self,
    ]
}
