import SystemIO
import TerminalKit

/// What a process tells its service manager.
enum ServiceState {
    /// A service manager that does not listen is no reason to stop.
    static func tell(_ state: ServiceNotification.State, _ invocation: Invocation) {
        do throws(SystemError) {
            try ServiceNotification.send(state, environment: invocation.environment)
        } catch {
            invocation.warn("cannot notify the service manager: \(Reason(error).text)")
        }
    }
}
