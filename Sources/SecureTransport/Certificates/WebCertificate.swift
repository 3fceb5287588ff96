/// The certificate of a web site and its key, for browsers: files in PEM form, as certificate authorities issue them.
///
/// A server presents it to clients that name the host (SNI), which apps never do (smp-agent.md 10.1).
public struct WebCertificate: Hashable, Sendable {
    /// The path of the certificate, followed by those that lead to an authority.
    public let chain: String
    /// The path of the private key.
    public let key: String

    /// Creates a reference to the files.
    public init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}
