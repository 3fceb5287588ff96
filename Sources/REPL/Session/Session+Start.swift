import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// The start of a session.
extension Session {
    /// Goes to the first screen: the one of the command line, the one of the last session, or the chats of the active profile.
    func begin(_ beginning: Beginning) async {
        editor?.clearHistory()
        for line in await memory.lines() { editor?.remember(line) }
        await firstSteps.begin()
        await router.startAtHome()
        sayWhoReceives()
        guard let isInPlace = await startInProfile(beginning.profile) else { return }
        let isFresh = beginning.isFresh || isInPlace, address = beginning.address
        if let resumption {
            if let place = resumption.place { await router.restore(place) }
        } else if let destination = address.flatMap({ Destination($0) }), destination.isFixed {
            if !isFresh { await router.restore() }
            _ = router.pending.arrive(destination)
        } else if let address {
            _ = await router.reach(address)
        } else if !isFresh {
            await router.restore()
        }
        resumption = nil
        await router.enter()
    }

    /// Goes to the home of the profile that the command line names; false if it names none. Nil if there is no such profile: the
    /// session ends then, as the line must not go to another one.
    private func startInProfile(_ name: String?) async -> Bool? {
        guard let name, resumption == nil else { return false }
        let profiles = await reader.profilesIfReadable()
        // Its password was given: that it exists is no secret.
        if profiles.contains(where: { $0.name == name && $0.isHidden }) {
            life.leave(.failed(Failure.hiddenProfile))
            return nil
        }
        guard let found = profiles.first(where: { $0.name == name }) else {
            life.leave(.failed(store.unknownProfile(name, among: profiles.map(\.name))))
            return nil
        }
        return await router.go(to: HomeScreen(profile: found.id.number, kind: StoreReader.homeKind(of: found)))
    }

    /// Says which process receives from now on.
    private func sayWhoReceives() {
        guard let resumption else { return }
        guard let former = resumption.former else { return display.say("the store is writable again", .success) }
        let now = store.holderCommand
        if now == former { return display.say("\(former) was restarted", .muted) }
        display.say("\(former) has ended; \(now ?? "this session") receives now", .muted)
    }
}
