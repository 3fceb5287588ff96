import Agent
import Store

/// A version of the official apps whose databases this program writes.
public enum OfficialVersion: String, CaseIterable, Hashable, Sendable {
    case version6 = "6.4"
    case version7 = "7.0"

    /// The newest one.
    public static let newest = version7

    var chatSchema: ForeignSchema {
        switch self {
        case .version6: OfficialChatSchema.schema
        case .version7: OfficialChatSchema.today
        }
    }

    var agentSchema: ForeignSchema {
        switch self {
        case .version6: OfficialAgentSchema.schema
        case .version7: OfficialAgentSchema.today
        }
    }
}
