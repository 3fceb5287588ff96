import ChatCore
package import CommandKit

extension ManualPage.Edition {
    /// What the manual of this version says about itself. The day changes when a version is published.
    package static let current = ManualPage.Edition(version: VersionReport.current.version, date: "2026-11-21")
}
