public import ByteCoding
public import JSONCoding
public import SystemIO

/// A way to a core in another process: lines of JSON in both directions. Everything happens on the thread of a loop.
public protocol CoreTransport: AnyObject {
    /// Begins to read.
    ///
    /// - Parameters:
    ///   - onLine: Gets each line; nil for one that was too long.
    ///   - onClose: Called once, when the other side has gone or ``close()`` was called.
    func start(onLine: @escaping (Bytes?) -> Void, onClose: @escaping () -> Void) throws(SystemError)

    func send(_ object: JSONObject)

    func close()
}
