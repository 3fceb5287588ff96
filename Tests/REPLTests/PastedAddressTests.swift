import Testing

@testable import REPL

@Suite struct PastedAddressTests {
    private static let fingerprint = String(repeating: "A", count: 43) + "="
    private static let link =
        "simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2F\(fingerprint)%40smp.example%2FAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%23%2F"

    @Test func anAddressIsFoundInWhatStandsAroundIt() {
        let address = "smp://\(PastedAddressTests.fingerprint)@smp.example:5223"
        for text in [address, " \(address)\n", "<\(address)>", "\"\(address)\",", "SMP\(address.dropFirst(3))"] {
            #expect(PastedAddress(text) == .relay(address), "\(text)")
        }
        #expect(PastedAddress(address.prefix(30) + "\n  " + address.dropFirst(30)) == .relay(address))
        #expect(PastedAddress(address).explanation == nil)
    }

    @Test func whatIsNoAddressOfARelayIsExplained() {
        #expect(PastedAddress("xftp://\(PastedAddressTests.fingerprint)@files.example") == .fileRelay)
        #expect(PastedAddress("XFTP://x") == .fileRelay)
        #expect(PastedAddress("https://simplex.chat") == .webPage)
        for text in ["", "smp.example", "smp:/x", "nonsense", "4", "\u{0}", "<>", "\"\"\""] {
            #expect(PastedAddress(text) == .other, "\(text)")
            #expect(PastedAddress(text).explanation?.isEmpty == false)
        }
    }
}
