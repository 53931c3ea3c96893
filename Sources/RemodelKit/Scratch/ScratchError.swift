public import Diagnostics

/// Why there is no throwaway server.
public enum ScratchError: Error, Hashable, Sendable {
  /// No PostgreSQL server is installed in the searched folders.
  case noServerInstalled
  /// A folder was named that has no server programs.
  case noServerAt(String)
  /// The server did not start, or ended too early; with the end of its log.
  case serverFailed(reason: String, log: String)
}

extension ScratchError: DiagnosticError {
  /// The error for people.
  public var diagnostics: [Diagnostic] {
    switch self {
    case .noServerInstalled:
      [
        Diagnostic(
          .error,
          "could not find a PostgreSQL server to start",
          detail:
            "The programs \"initdb\" and \"postgres\" are neither in PATH nor where they usually are.",
          hint: """
            Install one (apt-get install postgresql, or brew install postgresql), or set \
            REMODEL_POSTGRES_BIN to the folder of its programs.
            """
        )
      ]
    case .noServerAt(let path):
      [
        Diagnostic(
          .error,
          "could not find a PostgreSQL server in \"\(path)\"",
          detail: "The folder has to hold the programs \"initdb\" and \"postgres\"."
        )
      ]
    case .serverFailed(let reason, let log):
      [
        Diagnostic(
          .error,
          "could not start a throwaway server: \(reason)",
          detail: log.isEmpty ? nil : "The end of its log:\n\(log)"
        )
      ]
    }
  }
}
