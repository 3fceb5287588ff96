public import ByteCoding
public import CryptoCore
public import SecureTransport

/// A certificate with its key, which can sign others.
public struct IssuedCertificate: Sendable {
    public let der: Bytes
    public let key: Ed25519.PrivateKey

    /// A certificate authority: self-signed without an issuer.
    public static func authority(
        _ name: String, by issuer: IssuedCertificate? = nil, validity: ClosedRange<Int64>? = nil
    ) throws(CryptoError) -> IssuedCertificate {
        try make(name, isAuthority: true, issuer, validity)
    }

    /// An online certificate.
    public static func leaf(
        _ name: String = "relay", by issuer: IssuedCertificate, validity: ClosedRange<Int64>? = nil
    ) throws(CryptoError) -> IssuedCertificate {
        try make(name, isAuthority: false, issuer, validity)
    }

    private static func make(
        _ name: String, isAuthority: Bool, _ issuer: IssuedCertificate?, _ validity: ClosedRange<Int64>?
    ) throws(CryptoError) -> IssuedCertificate {
        let random = SystemRandom(), key = Ed25519.PrivateKey(random: random)
        let draft = try CertificateDraft(key: key, serial: random.bytes(16))
        if let validity { try draft.setValidity(validity) }
        try draft.setSubject(commonName: name, organisation: "SimpleX")
        let parent: CertificateDraft?
        if let issuer { parent = try CertificateDraft(decoding: issuer.der) } else { parent = nil }
        if let parent, !isAuthority {
            try draft.addServerExtensions(issuer: parent)
        } else {
            try draft.addAuthorityExtensions(issuer: parent)
        }
        return IssuedCertificate(der: try draft.sign(by: parent, with: issuer?.key ?? key), key: key)
    }
}

/// A chain that a server presents, with the key of its leaf.
public struct PresentedChain: Sendable {
    public let name: String
    public let chain: CertificateChain
    public let key: Ed25519.PrivateKey

    public init(_ name: String, _ leaf: IssuedCertificate, _ others: Bytes...) {
        self.name = name
        chain = CertificateChain([leaf.der] + others)
        key = leaf.key
    }

    /// Chains that an attacker can make who has the identity certificate of a relay, which is public, and no key of it.
    public static func forged(pinned: Bytes) throws(CryptoError) -> [PresentedChain] {
        let root = try IssuedCertificate.authority("own root"), leaf = try IssuedCertificate.leaf(by: root)
        let middle = try IssuedCertificate.authority("own middle", by: root)
        let lower = try IssuedCertificate.leaf(by: middle)
        // The subject of all relays' identity certificates.
        let namesake = try IssuedCertificate.authority("SMP server CA")
        let namesakeLeaf = try IssuedCertificate.leaf(by: namesake)
        let double = try IssuedCertificate.authority("SMP server CA", by: root)
        let doubleLeaf = try IssuedCertificate.leaf(by: double)
        return [
            PresentedChain("off-path-3", leaf, pinned, root.der),
            PresentedChain("off-path-4", lower, pinned, middle.der, root.der),
            PresentedChain("off-path-twice", leaf, pinned, pinned, root.der),
            PresentedChain("root-twice", leaf, pinned, root.der, root.der),
            PresentedChain("same-subject-2", namesakeLeaf, pinned),
            PresentedChain("same-subject-3", namesakeLeaf, pinned, namesake.der),
            PresentedChain("same-subject-4", doubleLeaf, pinned, double.der, root.der),
            PresentedChain("swapped", leaf, root.der, pinned),
            PresentedChain("swapped-4", lower, middle.der, pinned, root.der),
            PresentedChain("self-signed-leaf", root, pinned),
            PresentedChain("root-as-leaf", root, pinned, root.der),
            PresentedChain("pinned-as-root", leaf, root.der, pinned, pinned),
        ]
    }

    /// The chains of three and four certificates in use: leaf, operator, authority; leaf, operator, network, authority.
    /// The operator's certificate is the identity.
    public static func genuine(validity: ClosedRange<Int64>? = nil) throws(CryptoError) -> [PresentedChain] {
        let root = try IssuedCertificate.authority("authority")
        let network = try IssuedCertificate.authority("network", by: root)
        let direct = try IssuedCertificate.authority("operator", by: root)
        let indirect = try IssuedCertificate.authority("operator", by: network)
        return [
            PresentedChain("2", try .leaf(by: root, validity: validity), root.der),
            PresentedChain("3", try .leaf(by: direct, validity: validity), direct.der, root.der),
            PresentedChain("4", try .leaf(by: indirect, validity: validity), indirect.der, network.der, root.der),
        ]
    }

    public var fingerprint: Bytes { SHA256.hash(chain.certificates[1]) }
}
