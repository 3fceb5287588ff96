public import Agent
import ByteCoding
import JSONCoding
import SMPClient
import SecureTransport
import XFTPProtocol

/// The link of a migration: that of the uploaded archive, with what the other machine should know (chat.md 7.4).
///
/// It is the link of the official applications, which write `{"networkConfig":{...}}` into its data. A field of this program, which they
/// ignore, adds how the other machine reports that it has the store.
public struct MigrationLink: Sendable {
    /// The network settings of the source, as far as they matter to the download.
    public struct Network: Hashable, Sendable {
        /// The use of onion hosts, in the words of the official applications.
        public enum HostMode: String, Hashable, Sendable, CaseIterable {
            /// Through a proxy only.
            case onionThroughProxy = "onionViaSocks"
            case onion
            case `public`
        }

        /// The proxy, as far as a link tells: the login stays on the machine.
        public struct Proxy: Hashable, Sendable {
            public var host: String
            public var port: UInt16

            public init(host: String, port: UInt16) {
                self.host = host
                self.port = port
            }
        }

        public var proxy: Proxy?
        public var hostMode: HostMode?
        /// True if other hosts are forbidden.
        public var requiresHostMode: Bool?

        public init(proxy: Proxy? = nil, hostMode: HostMode? = nil, requiresHostMode: Bool? = nil) {
            self.proxy = proxy
            self.hostMode = hostMode
            self.requiresHostMode = requiresHostMode
        }

        /// True if relays were not to see the address of the source.
        public var hidesAddress: Bool { proxy != nil || hostMode == .onion }
    }

    /// The archive.
    let file: FileLink
    /// Nil if the link says nothing about it.
    public let network: Network?
    /// The invitation whose use reports to the source that the store works elsewhere; nil for a source that takes no reports.
    public let report: String?

    /// The longest invitation that is taken, in bytes.
    private static let longestReport = 4096

    /// Adds what the other machine should know to the link of an uploaded archive.
    ///
    /// Returns nil for a text that is not such a link.
    public init?(_ archive: String, network: Network, report: String?) {
        guard let link = try? FileLink(text: archive) else { return nil }
        self.network = network
        self.report = report
        var data: JSONObject = ["networkConfig": .object(network.json)]
        if let report { data["tacit"] = .object(["report": .string(report)]) }
        file = FileLink(description: link.description, clientData: data.line)
    }

    /// Reads a link. Data that another program has written are no error, as they are for people or for later versions.
    ///
    /// Returns nil for a text that is not a link to a file.
    public init?(text: String) {
        guard let link = try? FileLink(text: text) else { return nil }
        file = link
        let data = file.clientData.flatMap { try? JSONValue(decoding: Bytes($0.utf8)) }?.object
        network = data?["networkConfig"]?.object.map { Network($0) }
        let report = data?["tacit"]?.object?["report"]?.string
        self.report = report.flatMap { $0.utf8.count <= MigrationLink.longestReport ? $0 : nil }
    }

    public var text: String { file.text }

    /// True if the link says something to another machine: a link to an archive alone looks like that to any file.
    public var isOfMigration: Bool { network != nil || report != nil }
}

extension MigrationLink.Network {
    /// What the settings of a machine say.
    public init(_ settings: NetworkSettings) {
        let route = settings.route
        let mode: HostMode =
            switch route.onion {
            case .prefer, .require: .onionThroughProxy
            case .never: .public
            }
        self.init(
            proxy: route.proxy.map { Proxy(host: $0.host, port: $0.port) }, hostMode: mode,
            requiresHostMode: route.onion == .require)
    }

    /// Reads what an application has written. Unknown words count as absent.
    init(_ object: JSONObject) {
        hostMode = object["hostMode"]?.string.flatMap { HostMode(rawValue: $0) }
        requiresHostMode = object["requiredHostMode"]?.bool
        // Older applications write one text: [user:password@]host:port.
        if let proxy = object["networkProxy"]?.object {
            let port = proxy["port"]?.integer.flatMap { UInt16(exactly: $0) }
            self.proxy = Proxy(host: proxy["host"]?.string ?? "localhost", port: port ?? 9050)
        } else if let text = object["socksProxy"]?.string {
            let address = text.split(separator: "@").last ?? ""
            let parts = address.split(separator: ":")
            let port = parts.count == 2 ? UInt16(parts[1]) : nil
            proxy = Proxy(host: parts.first.map(String.init) ?? "localhost", port: port ?? 9050)
        }
    }

    /// As the official applications read it.
    var json: JSONObject {
        var json = JSONObject()
        if let proxy {
            json["networkProxy"] = .object([
                "auth": "isolate", "host": .string(proxy.host), "port": .integer(Int64(proxy.port)),
            ])
        }
        json.set("hostMode", hostMode?.rawValue)
        json.set("requiredHostMode", requiresHostMode)
        return json
    }
}
