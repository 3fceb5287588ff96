/// Every type of screen there is. A new one gets its line here.
public enum ScreenCatalogue {
    /// The types, those that are met most often first.
    public static let all: [any Screen.Type] = [
        HubScreen.self,
        HomeScreen.self,
        ChatScreen.self,
        ContactScreen.self,
        ConnectionScreen.self,
        VerificationScreen.self,
        MessageScreen.self,
        RequestsScreen.self,
        AddressScreen.self,
        SettingsScreen.self,
    ]
}
