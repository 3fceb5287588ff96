import ChatCore
import SystemIO
import TerminalKit

/// The folder of hooks.
extension Diagnosis {
    static func hooks(_ invocation: Invocation) -> [Diagnosis] {
        // Without a folder for anything there is a diagnosis of its own.
        guard let folder = try? HookFolder(invocation) else { return [] }
        var found: [Diagnosis] = [], ready: [String] = []
        for hook in Hook.allCases {
            switch folder.state(of: hook) {
            case .missing: break
            case .ready: ready.append(hook.rawValue)
            case .ignored(let fault):
                found.append(
                    Diagnosis(
                        "hooks", .failure, "\(hook.rawValue) is not run: \(fault.words)", tries: fault.remedies))
            }
        }
        do throws(SystemError) {
            for name in try folder.strangers() {
                let meant = Hook.closest(to: name)
                let tries = meant.map { hook in
                    [Failure.Attempt(words: ["mv", "-n", "\(folder.path)/\(name)", folder.path(of: hook)])]
                }
                found.append(
                    Diagnosis(
                        "hooks", .warning, "\(UntrustedText(name).quoted) is not run: no hook has this name",
                        tries: tries ?? [.init("tacit help hooks", "list the hook names")]))
            }
        } catch {
            found.append(Diagnosis("hooks", failed: error))
        }
        guard found.isEmpty else { return found }
        return [Diagnosis("hooks", .ok, ready.isEmpty ? "none" : ready.joined(separator: ", "))]
    }
}

extension HookFolder.Fault {
    /// What makes the hook run, to be pasted.
    var remedies: [Failure.Attempt] {
        switch self {
        case .openFolder(let path), .openFile(let path): [.init(words: ["chmod", "go-w", path])]
        case .notExecutable(let path): [.init(words: ["chmod", "u+x", path])]
        case .foreignFolder(let path): [.init(words: ["ls", "-ld", path], "show the owner of the folder")]
        case .noFile, .foreignFile: [.init("tacit hook path", "show the folder of hooks")]
        }
    }
}
