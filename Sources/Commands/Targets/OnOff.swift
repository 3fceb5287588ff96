/// The value of a setting that is on or off, as it is typed.
enum OnOff: String, CaseIterable, Sendable {
    case on, off

    init(_ isOn: Bool) {
        self = isOn ? .on : .off
    }
}
