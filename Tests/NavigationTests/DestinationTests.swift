import Navigation
import Testing

@Suite struct DestinationTests {
    @Test(arguments: [
        ("simplex:/contact#/?v=2", Destination.link("simplex:/contact#/?v=2")),
        (" <https://smp.example/i#abc> \n", .link("https://smp.example/i#abc")),
        ("\u{201c}SIMPLEX:/invitation#x\u{201d}", .link("SIMPLEX:/invitation#x")),
        ("chat:c4", .chat(number: 4)), ("chat:4", .chat(number: 4)), ("id:c4", .chat(number: 4)),
        ("chat:g4", .group(4)), ("id:g4", .group(4)), ("contact:c4", .contact(4)), ("id:m12", .message(12)),
        ("/contacts/Ann Lee", .place("/contacts/Ann Lee")),
        ("/", .place("/")), ("..", .place("..")), ("../info", .place("../info")), ("@ann", .name("@ann")),
        ("Ann Lee", .name("Ann Lee")), ("...", .name("...")), ("note:4", .name("note:4")),
        ("http://smp.example/", .name("http://smp.example/")),
    ])
    func textsAreToldApart(text: String, destination: Destination) {
        #expect(Destination(text) == destination)
    }

    @Test(arguments: [
        "", "  ", "<>", "chat:", "chat:x", "chat:m4", "chat:-4", "chat:0", "chat:c", "chat:g", "id:g0", "contact:g4",
        "contact:m3", "id:x", "id:4",
        "chat:99999999999999999999", "simplex:/a b", "https://a\u{7}", "@a\u{1b}[2J", "simplex:/a\nsimplex:/b",
        String(repeating: "x", count: 20_000),
    ])
    func whatIsNoPlaceIsRefused(text: String) {
        #expect(Destination(text) == nil)
    }

    @Test func only_links_need_a_plan() {
        #expect(Destination.link("simplex:/x").needsPlan)
        #expect(!Destination.chat(number: 4).needsPlan)
    }

    @Test func names_and_addresses_depend_on_current_screen() {
        let fixed: [Destination] = [.link("simplex:/x"), .chat(number: 4), .contact(4), .message(12)]
        for destination in fixed { #expect(destination.isFixed) }
        for destination in [Destination.place(".."), .name("@ann")] { #expect(!destination.isFixed) }
    }

    // MARK: - Waiting

    @Test func early_destinations_wait() {
        var pending = PendingDestinations()
        var now = [pending.arrive(.chat(number: 1)), pending.arrive(.link("a")), pending.arrive(.chat(number: 1))]
        #expect(now == [nil, nil, nil])
        var waited = pending.activate()
        #expect(waited == [.link("a"), .chat(number: 1)], "each once, at its last place")
        now = [pending.arrive(.place("/"))]
        #expect(now == [.place("/")])
        waited = pending.activate()
        #expect(waited == [])
        pending.deactivate()
        for contact in 1...20 as ClosedRange<Int64> { _ = pending.arrive(.chat(number: contact)) }
        waited = pending.activate()
        #expect(waited == (13...20).map { .chat(number: $0) })
    }
}
