import CPostgreSQL
import Diagnostics

/// Takes the server's notices, which libpq would print on standard error.
final class NoticeReceiver {
  private let handler: ((Diagnostic) -> Void)?
  /// The server's reason for the end of the session, which libpq takes for a notice where it arrives between
  /// two statements.
  private(set) var ending: PostgresError?

  init(_ handler: ((Diagnostic) -> Void)?) {
    self.handler = handler
  }

  /// Makes this the receiver of a connection, which has to keep it alive.
  func install(on handle: OpaquePointer) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    PQsetNoticeReceiver(
      handle,
      { this, result in
        guard let this, let result else { return }
        Unmanaged<NoticeReceiver>.fromOpaque(this).takeUnretainedValue().receive(result)
      },
      this
    )
  }

  private func receive(_ result: OpaquePointer) {
    var error = PostgresError(notice: result)
    if PostgresError.endsSession(result) {
      error.kind = .connectionLost
      ending = error
    }
    guard let handler else { return }
    for diagnostic in error.diagnostics {
      var notice = diagnostic
      notice.severity = .warning
      handler(notice)
    }
  }
}
