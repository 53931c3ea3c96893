import Dispatch
import RemodelKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Turns signals into the end of what runs: the first in order, a second at once.
///
/// The signals are caught even where they were inherited as ignored, as `nohup` and shells' `&` do.
struct SignalHandlers {
  private let sources: [any DispatchSourceSignal]

  /// How long what runs has for its end.
  private static let grace = DispatchTimeInterval.seconds(8)

  /// Starts to catch signals.
  ///
  /// - Parameters:
  ///   - interruption: What ends what runs.
  ///   - onSignal: Gets the first signal, on another thread.
  init(_ interruption: Interruption, onSignal: @escaping @Sendable (Int32) -> Void) {
    let queue = DispatchQueue(label: "remodel.signals")
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      // A dispatch source only hears of signals that do not end the process by themselves.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        let meaning = number == SIGHUP ? SIGTERM : number
        let status = ExitStatus(signal: meaning).rawValue
        guard interruption.signal == nil else { _exit(status) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { _exit(status) }
        interruption.interrupt(signal: meaning)
        onSignal(meaning)
      }
      source.resume()
      return source
    }
  }
}
