import ByteCoding
import ChatProtocol
package import SMPProtocol

/// The relays of the public network, which every client of it knows. They are used by whoever accepts the conditions of
/// their operators.
package enum PresetServers {
    /// The relays of an operator on which queues are made.
    package static func servers(of tag: ServerOperator.Tag) -> [ServerAddress] {
        switch tag {
        case .simplex: addresses(simplex, domain: "simplex.im")
        case .flux: addresses(flux, domain: "simplexonflux.com")
        }
    }

    /// The file relays of an operator.
    static func fileServers(of tag: ServerOperator.Tag) -> [ServerAddress] {
        switch tag {
        case .simplex: fileAddresses(simplexFiles, domain: "simplex.im")
        case .flux: fileAddresses(fluxFiles, domain: "simplexonflux.com")
        }
    }

    /// The chat relays of an operator.
    static func chatRelays(of tag: ServerOperator.Tag) -> [ChatRelay] {
        guard tag == .simplex else { return [] }
        let addresses = simplexRelays.split(separator: "\n").compactMap { try? ChatRelay.address(text: String($0)) }
        return addresses.enumerated().map { index, address in
            ChatRelay(
                address, RelayProfile(displayName: "SimpleX Chat Relay \(index + 1)"), domains: tag.domains,
                isPreset: true)
        }
    }

    /// All that clients know. Short links leave out what follows from this list, so that relays which take no new queues any
    /// more stay in it; it says nothing about the servers of a profile.
    static let all = ServerOperator.Tag.allCases.flatMap(servers) + retired

    /// Relays that stand in links which are still around, and on which no new queues are made.
    package static var retired: [ServerAddress] { addresses(retiredSimplex, domain: "simplex.im") }

    /// How many relays of an operator a new profile uses. A few at random: they are enough, and profiles that use different
    /// ones are harder to connect with each other.
    package static func usedCount(of tag: ServerOperator.Tag) -> Int {
        switch tag {
        case .simplex: 4
        case .flux: 3
        }
    }

    /// The relays of an operator for a new profile, some of them enabled.
    package static func selection(
        of tag: ServerOperator.Tag, using generator: inout some RandomNumberGenerator
    ) -> [ProfileServer] {
        let all = servers(of: tag)
        let used = all.indices.shuffled(using: &generator).prefix(usedCount(of: tag))
        return zip(all.indices, all).map { index, address in
            ProfileServer(ConfiguredServer(address: address), isPreset: true, isEnabled: used.contains(index))
        }
    }

    // MARK: - The list

    // Host, fingerprint and the name of the same relay as an onion service.

    private static let simplex = """
        smp8 0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU= beccx4yfxxbvyhqypaavemqurytl6hozr47wfc7uuecacjqdvwpw2xid
        smp9 SkIkI6EPd2D63F4xFKfHk7I1UGZVNn6k1QWZ5rcyr6w= jssqzccmrcws6bhmn77vgmhfjmhwlyr3u7puw4erkyoosywgl67slqqd
        smp10 6iIcWT_dF2zN_w5xzZEY7HI2Prbh3ldP07YTyDexPjE= rb2pbttocvnbrngnwziclp2f4ckjq65kebafws6g4hy22cdaiv5dwjqd
        smp11 1OwYGt-yqOfe2IyVHhxz3ohqo3aCCMjtB-8wn4X_aoY= 6ioorbm6i3yxmuoezrhjk6f6qgkc4syabh7m3so74xunb5nzr4pwgfqd
        smp12 UkMFNAXLXeAAe0beCa4w6X_zp18PwxSaSjY17BKUGXQ= ie42b5weq7zdkghocs3mgxdjeuycheeqqmksntj57rmejagmg4eor5yd
        smp14 enEkec4hlR3UtKx2NMpOUK_K4ZuDxjWBO1d9Y4YXVaA= aspkyu2sopsnizbyfabtsicikr2s4r3ti35jogbcekhm3fsoeyjvgrid
        smp15 h--vW7ZSkXPeOUpfxlFGgauQmXNFOzGoizak7Ult7cw= oauu4bgijybyhczbnxtlggo6hiubahmeutaqineuyy23aojpih3dajad
        smp16 hejn2gVIqNU6xjtGM3OwQeuk8ZEbDXVJXAlnSBJBWUA= p3ktngodzi6qrf7w64mmde3syuzrv57y55hxabqcq3l5p6oi7yzze6qd
        smp17 ZKe4uxF4Z_aLJJOEsC-Y6hSkXgQS5-oc442JQGkyP8M= ogtwfxyi3h2h5weftjjpjmxclhb5ugufa5rcyrmg7j4xlch7qsr5nuqd
        smp18 PtsqghzQKU83kYTlQ1VKg996dW4Cw4x_bvpKmiv8uns= lyqpnwbs2zqfr45jqkncwpywpbtq7jrhxnib5qddtr6npjyezuwd3nqd
        smp19 N_McQS3F9TGoh4ER0QstUf55kGnNSd-wXfNPZ7HukcM= i53bbtoqhlc365k6kxzwdp5w3cdt433s7bwh3y32rcbml2vztiyyz5id
        """

    private static let retiredSimplex = """
        smp4 u2dS9sG8nMNURyZwqASV4yROM28Er0luVTx5X1CsMrU= o5vmywmrnaxalvz6wi3zicyftgio6psuvyniis6gco6bp6ekl4cqj4id
        smp5 hpq7_4gGJiilmz5Rf-CswuU5kZGkm_zOIooSw6yALRg= jjbyvoemxysm7qxap7m5d5m35jzv5qq6gnlv7s4rsn7tdwwmuqciwpid
        smp6 PQUV2eL0t7OStZOoAsPEV2QYWt4-xilbakvGUGOItUo= bylepyau3ty4czmn77q4fglvperknl4bi2eb2fdy2bh4jxtf32kf73yd
        smp7 8Af90NX2TTkKEJAF1RCg69P_Odg2Z-6_J6DOKUqK3rQ= dbxqutskmmbkbrs7ofi7pmopeyhgi5cxbjbh4ummgmep4r6bz4cbrcid
        """

    private static let flux = """
        smp1 xQW_ufMkGE20UrTlBl8QqceG1tbuylXhr9VOLPyRJmw= qb4yoanyl4p7o33yrknv4rs6qo7ugeb2tu2zo66sbebezs4cpyosarid
        smp2 LDnWZVlAUInmjmdpQQoIo6FUinRXGe0q3zi5okXDE4s= yiqtuh3q4x7hgovkomafsod52wvfjucdljqbbipg5sdssnklgongxbqd
        smp3 1jne379u7IDJSxAvXbWb_JgoE7iabcslX0LBF22Rej0= a5lm4k7ufei66cdck6fy63r4lmkqy3dekmmb7jkfdm5ivi6kfaojshad
        smp4 xmAmqj75I9mWrUihLUlI0ZuNLXlIwFIlHRq5Pb6cHAU= qpcz2axyy66u26hfdd2e23uohcf3y6c36mn7dcuilcgnwjasnrvnxjqd
        smp5 rWvBYyTamuRCBYb_KAn-nsejg879ndhiTg5Sq3k0xWA= 4ao347qwiuluyd45xunmii4skjigzuuox53hpdsgbwxqafd4yrticead
        smp6 PN7-uqLBToqlf1NxHEaiL35lV2vBpXq8Nj8BW11bU48= hury6ot3ymebbr2535mlp7gcxzrjpc6oujhtfxcfh2m4fal4xw5fq6qd
        """

    // The addresses of chat relays.

    private static let simplexRelays = """
        https://smp5.simplex.im/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw
        https://smp6.simplex.im/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ
        https://smp4.simplex.im/r#yxNOMJcry5jMTRPEBVtGBATYaKeoRIsZRBPIDLx7x6M
        """

    // Host and fingerprint of the file relays.

    private static let simplexFiles = """
        xftp1 da1aH3nOT-9G8lV7bWamhxpDYdJ1xmW7j3JpGaDR5Ug=
        xftp2 5vog2Imy1ExJB_7zDZrkV1KDWi96jYFyy9CL6fndBVw=
        xftp3 PYa32DdYNFWi0uZZOprWQoQpIk5qyjRJ3EF7bVpbsn8=
        xftp4 k_GgQl40UZVV0Y4BX9ZTyMVqX5ZewcLW0waQIl7AYDE=
        xftp5 -bIo6o8wuVc4wpZkZD3tH-rCeYaeER_0lz1ffQcSJDs=
        xftp6 6nSvtY9pJn6PXWTAIMNl95E1Kk1vD7FM2TeOA64CFLg=
        """

    private static let fluxFiles = """
        xftp1 92Sctlc09vHl_nAqF2min88zKyjdYJ9mgxRCJns5K2U=
        xftp2 YBXy4f5zU1CEhnbbCzVWTNVNsaETcAGmYqGNxHntiE8=
        xftp3 ARQO74ZSvv2OrulRF3CdgwPz_AMy27r0phtLSq5b664=
        xftp4 ub2jmAa9U0uQCy90O-fSUNaYCj6sdhl49Jh3VpNXP58=
        xftp5 Rh19D5e4Eez37DEE9hAlXDB3gZa1BdFYJTPgJWPO9OI=
        xftp6 0AznwoyfX8Od9T_acp1QeeKtxUi676IBIiQjXVwbdyU=
        """

    private static func fileAddresses(_ list: String, domain: String) -> [ServerAddress] {
        list.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2 else { return nil }
            return try? ServerAddress(text: "xftp://\(words[1])@\(words[0]).\(domain)", scheme: .xftp)
        }
    }

    private static func addresses(_ list: String, domain: String) -> [ServerAddress] {
        list.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3 else { return nil }
            return try? ServerAddress(text: "smp://\(words[1])@\(words[0]).\(domain),\(words[2]).onion")
        }
    }
}
