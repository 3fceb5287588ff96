import ByteCoding

extension Timestamp {
    /// The time as the official core writes it: whole seconds, such as those of relays, have no fraction.
    var apiText: String {
        milliseconds % 1000 == 0 ? description.dropLast(".000Z".utf8.count) + "Z" : description
    }
}
