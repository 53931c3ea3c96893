import CPostgreSQL
import Diagnostics

/// Takes the server's notices, which libpq would print on standard error.
final class NoticeReceiver {
  private let handler: ((Diagnostic) -> Void)?

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
    guard let handler else { return }
    for diagnostic in PostgresError(notice: result).diagnostics {
      var notice = diagnostic
      notice.severity = .warning
      handler(notice)
    }
  }
}
