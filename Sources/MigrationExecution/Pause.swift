#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Waiting that an interruption ends.
enum Pause {
  static func sleep(seconds: Double, _ interruption: Interruption) {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while interruption.signal == nil {
      let left = clock.now.duration(to: end)
      guard left > .zero else { return }
      let slice = min(left, .milliseconds(50))
      usleep(UInt32(slice.components.attoseconds / 1_000_000_000_000))
    }
  }
}
