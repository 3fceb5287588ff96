import Commands
import Navigation
import SystemIO

/// Lists on the screen, as long as they can be drawn anew.
extension Session {
    /// How often at most a list is drawn anew.
    private static let listInterval = Duration.milliseconds(300)

    /// Draws the list on the screen anew, in its place and in its order: what stands behind a number stays there.
    func renewList() {
        guard !isListStale, editor?.hasList == true, state.path.top.value is HomeScreen else { return }
        isListStale = true
        store.loop.after(Session.listInterval) { [weak self] in
            self?.assumeIsolated { session in session.enqueue { await $0.drawListAnew() } }
        }
    }

    private func drawListAnew() async {
        isListStale = false
        guard editor?.hasList == true, state.path.top.value is HomeScreen else { return }
        let top = state.path.top
        var area = area
        area.keptOrder = choices.compactMap { ($0.screen as? ChatScreen)?.chat }
        guard let view = try? ScreenViews.registry.renderer(for: top),
            let drawing = try? await view.drawing(reader, area), drawing.isList, editor?.hasList == true,
            state.path.top == top
        else { return }
        choices = drawing.choices
        editor?.replace(list: drawing.rows(area))
    }
}
