/// Says how far a long step has come that nothing else happens beside: whoever does the step calls.
final class StepDisplay {
    private var output: ProgressOutput

    init(_ invocation: Invocation) {
        output = ProgressOutput(invocation)
    }

    /// Shows a text, if the step takes longer than a moment.
    func show(_ text: String) {
        output.show(text)
    }

    func hide() {
        output.hide()
    }
}
