/// All commands, and what reads their texts.
public enum ChatCommands {
    // Profiles, servers, connections, addresses and requests.
    private static let people: [any ChatCommand.Type] = [
        ShowActiveProfile.self, ListProfiles.self, CreateProfile.self, ActivateProfile.self, MuteProfile.self,
        HideProfile.self, UnhideProfile.self, OpenProfile.self, DeleteProfile.self, UpdateProfile.self,
        DescribeProfile.self, ActivateNamedProfile.self, DeleteNamedProfile.self, SetGroupReceipts.self,
        SetMemberAcceptance.self, SetClientService.self, SetPicture.self, SetBotCommands.self, ShowOwnProfile.self,
        SetFeature.self,
        SetContactFeature.self,
        SetContactTimer.self, SetContactPreferences.self,
        ListServers.self, UpdateServers.self, SetServers.self, ListChatRelays.self,
        SetChatRelays.self, TestChatRelay.self, TestServer.self, TestForwarding.self,
        ListOperators.self,
        UpdateOperators.self, ShowConditions.self, AcceptConditions.self,
        Invite.self, PlanConnection.self, Connect.self, ListInvitations.self, DeleteConnection.self,
        SetIncognito.self, MoveConnection.self, SetConnectionAlias.self, PrepareContact.self, ConnectPrepared.self,
        MovePrepared.self, SetProfileAddress.self, SetProfileName.self, VerifyName.self,
        CreateAddress.self, ShowAddress.self, AddShortLink.self, RotateAddress.self, DeleteAddress.self,
        SetAddress.self,
        ListRequests.self, AcceptRequest.self, RejectRequest.self,
    ]

    // Chats, messages, cursors, retention, outbox.
    private static let messages: [any ChatCommand.Type] = [
        EditByText.self, DeleteByText.self, ReactByText.self, AnswerByText.self, ForwardByText.self,
        ShowNotes.self, OpenNotes.self, FindChat.self, ListChats.self, SummarizeChats.self,
        ShowChat.self, ReadChat.self, ListItems.self, MarkChatRead.self,
        MarkItemsRead.self, SendMessages.self, CreateNotes.self, ForwardMessages.self, PlanForward.self, EditItem.self,
        DeleteItems.self, ModerateItems.self, ListContentTypes.self, React.self, ShowReactionMembers.self,
        ReportMessage.self,
        ArchiveReports.self, DeleteReports.self, DeleteSupportChat.self, ShowItem.self, ShowItemInfo.self,
        FindItems.self, SearchByText.self, ListCursors.self,
        MoveCursor.self, DeleteCursor.self, SetRetention.self,
        ShowRetention.self, ShowChatRetention.self, SetExpiry.self, SetChatSettings.self, SetCustomData.self,
        SetTheme.self, MarkChatUnread.self, MuteChat.self, MarkAllRead.self, ClearChat.self, ListTags.self,
        CreateTag.self,
        UpdateTag.self, DeleteTag.self, OrderTags.self, TagChat.self, Purge.self, ListOutbox.self, Flush.self,
        MarkOutbox.self,
        DropItem.self,
    ]

    // Network, contacts' connections, calls, sessions, the program.
    private static let program: [any ChatCommand.Type] = [
        FetchMessages.self, ReceiveMessages.self, DeliverMessages.self, WaitForItem.self, WaitForDelivery.self,
        WaitForConnection.self,
        ListContacts.self, ShowContact.self, SetAlias.self, RenameContact.self,
        MuteContact.self, BlockContact.self,
        DeleteChat.self,
        // A number of a member must not be read as the code of a contact.
        ShowMemberCode.self, VerifyMemberCode.self, SwitchMemberQueue.self, AbortMemberSwitch.self,
        SynchronizeMember.self, EnableMember.self, ShowSecurityCode.self, VerifySecurityCode.self, SetPostQuantum.self,
        SetReceipts.self, SetAllReceipts.self, SetContactReceipts.self, SwitchQueue.self, AbortSwitch.self,
        SynchronizeRatchet.self, EnableContact.self, ShowConnection.self,
        ListCalls.self, InviteToCall.self, AcceptCall.self, AnswerCall.self, AddCandidates.self, SetCallStatus.self,
        RejectCall.self, EndCall.self,
        ShowSessionValue.self, SetSessionValue.self, ShowDraft.self, SetDraft.self, AddLine.self, ListLines.self,
        CountUnread.self, SetHome.self, ShowOnboarding.self, AdvanceOnboarding.self,
        ShowStatus.self, ShowVersion.self, StartChat.self, StopChat.self, SetFilesFolder.self, SetTemporaryFolder.self,
        CheckRunning.self, SuspendChat.self, ActivateChat.self, Reconnect.self, Resubscribe.self, SetFilePaths.self,
        SetFileEncryption.self, SetContactMerging.self, ShowDiagnostics.self, ShowServersSummary.self,
        ResetStatistics.self, CountSubscriptions.self, CompareConnections.self, ShowNetwork.self, SetNetwork.self,
        NoteNetwork.self, SaveAppSettings.self, ShowAppSettings.self, ShowHelp.self, ExportStore.self, ImportStore.self,
        DeleteStore.self, ChangeStoreKey.self, TestStoreKey.self,
        SetActiveServers.self, ValidateServers.self, SwitchOperators.self, NoteConditions.self,
    ]

    // Groups and their members.
    private static let groups: [any ChatCommand.Type] = [
        CreateChannel.self, ListChannelRelays.self, AddChannelRelays.self, SetChannelAccess.self,
        ShareChannel.self, SendChannel.self,
        CreateGroup.self, CreateNamedGroup.self, ListGroups.self, ShowGroup.self, ReadChannelLink.self, ShowMember.self,
        ListMembers.self,
        InviteToGroup.self, JoinGroup.self, LeaveGroup.self, AllowChannel.self, RemoveMembers.self, SetMemberRole.self,
        BlockMembers.self, ShowMemberMessages.self, AcceptMember.self, UpdateGroup.self, RenameGroup.self,
        SetGroupWelcome.self, ShowGroupWelcome.self, SetGroupFeature.self, SetMemberReview.self,
        CreateGroupLink.self, SetGroupLinkRole.self, ShowGroupLink.self, DeleteGroupLink.self, RefreshGroupLink.self,
        PrepareGroup.self, MoveGroup.self, ConnectGroup.self, CreateMemberContact.self, InviteMemberContact.self,
        AcceptMemberContact.self,
    ]

    // Files of messages, and files by links.
    private static let files: [any ChatCommand.Type] = [
        ReceiveFile.self, SetFileToReceive.self, CancelFile.self, ShowFileStatus.self, SendFile.self, ForwardFile.self,
        UploadFile.self, DownloadFile.self, ShowFileLink.self, ListFiles.self, ShowFile.self, WaitForFile.self,
        PurgeFiles.self, SetFileAcceptance.self, ShowFileAcceptance.self, SetFileServers.self, ListFileServers.self,
    ]

    /// Each command of the core.
    public static let all: [any ChatCommand.Type] = people + messages + program + groups + files

    /// What reads one form of one command.
    private struct Reader: Sendable {
        let words: String
        let read: @Sendable (inout CommandReader) -> (any ChatCommand)?
    }

    /// By the first three bytes of their words, the longest words first: `/_delete item` before `/_delete`.
    private static let readers: [[UInt8]: [Reader]] = Dictionary(
        grouping: all.flatMap { readers(of: $0) }.enumerated()
            .sorted { ($0.element.words.utf8.count, $1.offset) > ($1.element.words.utf8.count, $0.offset) }
            .map(\.element), by: { Array($0.words.utf8.prefix(3)) })

    private static func readers<Command: ChatCommand>(of type: Command.Type) -> [Reader] {
        Command.syntax.forms.map { form in
            Reader(words: form.words) { reader in
                try? form.read(&reader)
            }
        }
    }

    /// Reads the text of a command.
    public static func parse(_ text: String) throws(ChatError) -> any ChatCommand {
        let unsupported = UnsupportedCommands.words(of: text)?.utf8.count ?? 0
        let first = Array(text.utf8.prefix(3))
        for count in stride(from: first.count, through: 0, by: -1) {
            for reader in readers[Array(first.prefix(count))] ?? [] where reader.words.utf8.count >= unsupported {
                guard var rest = CommandReader(text, behind: reader.words) else { continue }
                if let command = reader.read(&rest) { return command }
            }
        }
        throw unsupported > 0 ? .commandNotSupported : .commandSyntax
    }
}
