import CommandKit
import Testing

/// What may become of a word, before anybody has looked into a store.
@Suite struct OfferTests {
    @Test(arguments: [
        ("", ["send", "connect", "contact", "daemon", "help"]), ("co", ["connect", "contact"]), ("x", []),
        ("contact ", ["list", "rename"]), ("contact re", ["rename"]), ("--json con", ["connect", "contact"]),
        ("--profile send con", ["connect", "contact"]), ("nobody ", []), ("nobody --", []),
        ("daemon ", ["run", "mark"]), ("daemon mark ", ["queued", "sent", "delivered"]), ("daemon mark sent ", []),
        ("send --wait ", ["queued", "sent", "delivered"]), ("send -w d", ["delivered"]),
        ("send --wait=", ["--wait=queued", "--wait=sent", "--wait=delivered"]), ("send --wait=s", ["--wait=sent"]),
        ("send --w", ["--wait"]), ("send --wait sent --w", []), ("send --dry", ["--dry-run"]),
        ("send --attach a --att", ["--attach"]), ("send -- --w", []), ("connect --no", ["--no-qr"]),
        ("connect --no-j", ["--no-json"]), ("connect --no-quiet --no-q", ["--no-quiet", "--no-qr"]),
        ("connect --no-qr --q", ["--quiet"]), ("contact list --l", ["--last", "--limit"]), ("daemon --f", ["--force"]),
        ("daemon --force --", ["--json", "--quiet", "--null", "--profile", "--color", "--help"]),
        ("--color ", ["auto", "always", "never"]), ("--color=a", ["--color=auto", "--color=always"]),
        ("help ", ["targets", "send", "connect", "contact", "daemon", "help"]), ("help contact ", ["list", "rename"]),
        ("help send ", []),
    ])
    func knows(line: String, candidates: [String]) {
        let offer = Sample.tree.offer(for: OfferTests.words(line))
        #expect(Set(offer.candidates.map(\.word)) == Set(candidates), "\(offer)")
        #expect(offer.candidates.count == candidates.count)
    }

    @Test(arguments: [
        ("send ", Completion.chat, "", ""), ("send @a", .chat, "", "@a"), ("send @alice ", .nothing, "", ""),
        ("contact rename ", .contact, "", ""), ("contact rename --profile work @b", .contact, "", "@b"),
        ("send --attach ", .file, "", ""), ("send --attach=do", .file, "--attach=", "do"),
        ("send --", .nothing, "", "--"),
        ("contact rename @bob a b c", .nothing, "", "c"),
    ])
    func wants(line: String, wanted: Completion, attached: String, beginning: String) {
        let offer = Sample.tree.offer(for: OfferTests.words(line))
        #expect(offer.wanted == wanted)
        #expect(offer.attached == attached)
        #expect(offer.beginning == beginning)
    }

    @Test func keepsTheValuesBefore() {
        let offer = Sample.tree.offer(for: ["--profile", "work", "send", "--wait=sent", "@a"])
        #expect(offer.values == ["profile": "work", "wait": "sent"])
    }

    @Test func found_candidates_are_filtered() {
        let offer = Sample.tree.offer(for: ["send", "@a"])
        let found = ["@alice", "@bob", "@anna"].map { Offer.Candidate($0) }
        #expect(offer.candidates(with: found).map(\.word) == ["@alice", "@anna"])
        let attached = Sample.tree.offer(for: ["send", "--attach=d"])
        #expect(attached.candidates(with: [.init("dog"), .init("cat")]).map(\.word) == ["--attach=dog"])
    }

    @Test func hiddenCommandsStayHidden() {
        #expect(Sample.tree.offer(for: ["__"]).candidates.isEmpty)
        #expect(Sample.tree.offer(for: []).candidates.count == 5)
    }

    private static func words(_ line: String) -> [String] {
        line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }
}
