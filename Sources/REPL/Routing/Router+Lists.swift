import Commands
import Navigation

/// Lists on the screen, which are replaced as long as nothing is printed below them.
extension Router {
    /// The shortest time between two drawings of a list.
    private static let listInterval = Duration.milliseconds(300)

    /// Draws the list on the screen again, in its place and order: each number keeps its entry.
    func renewList() {
        guard !isListStale, display.terminal?.hasList == true, state.path.top.value is HomeScreen else { return }
        isListStale = true
        scheduler.after(Router.listInterval) { [weak self] in
            self?.scheduler.enqueue { [weak self] in await self?.drawList() }
        }
    }

    private func drawList() async {
        isListStale = false
        guard display.terminal?.hasList == true, state.path.top.value is HomeScreen else { return }
        let top = state.path.top
        var area = area
        area.keptOrder = choices.compactMap { ($0.screen as? ChatScreen)?.chat }
        guard let view = try? ScreenViews.registry.renderer(for: top),
            let drawing = await reader.failures.value({ try await view.drawing(reader, area) }), drawing.isList,
            display.terminal?.hasList == true, state.path.top == top
        else { return }
        choices = drawing.choices
        display.terminal?.replace(list: drawing.rows(area))
    }
}
