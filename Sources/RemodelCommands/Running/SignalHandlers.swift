import Dispatch
import RemodelKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the call on signals: orderly on the first one, at once on a second one.
///
/// It catches signals even if they were inherited as ignored, as by `nohup` and `&` in shells.
struct SignalHandlers {
  private let sources: [any DispatchSourceSignal]

  /// The time for an orderly end.
  private static let grace = DispatchTimeInterval.seconds(8)

  /// Starts to catch signals.
  ///
  /// - Parameters:
  ///   - interruption: The interruption of the call.
  ///   - onSignal: Gets the first signal, on another thread.
  ///   - onEnd: Gets it before the process ends because an orderly end takes too long.
  init(
    _ interruption: Interruption,
    onSignal: @escaping @Sendable (Int32) -> Void,
    onEnd: @escaping @Sendable (Int32) -> Void
  ) {
    let queue = DispatchQueue(label: "remodel.signals")
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      // A dispatch source only hears of signals that do not end the process by themselves.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        let meaning = number == SIGHUP ? SIGTERM : number
        let status = ExitStatus(signal: meaning).rawValue
        guard interruption.signal == nil else { _exit(status) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) {
          onEnd(meaning)
          _exit(status)
        }
        interruption.interrupt(signal: meaning)
        onSignal(meaning)
      }
      source.resume()
      return source
    }
  }
}
