#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What an input may take of the machine: more ends the process by a signal.
enum FuzzLimits {
  /// The seconds of processor time that an input may take; how busy the machine is does not matter.
  #if DEBUG
  static let secondsPerInput = 20
  #else
  static let secondsPerInput = 2
  #endif

  /// As small a stack as any thread has that the library may be called on; unoptimised code needs more.
  #if DEBUG
  private static let stackBytes: UInt = 4 << 20
  #else
  private static let stackBytes: UInt = 512 << 10
  #endif

  private static let memoryBytes: UInt = 3 << 30

  /// Limits the process, the stack of its first thread from now on.
  static func limitMemory() {
    setLimit(.addressSpace, memoryBytes)
    setLimit(.stack, stackBytes)
    setLimit(.core, 0)
  }

  /// Ends the process by a signal when it takes more processor time from now on.
  static func startClock(seconds: Int = secondsPerInput) {
    let limit = itimerval(
      it_interval: timeval(tv_sec: 0, tv_usec: 0),
      it_value: timeval(tv_sec: seconds, tv_usec: 0)
    )
    setTimer(limit)
    // Whoever waits for something takes no processor time.
    alarm(600)
  }

  /// The processor time that the process has taken.
  static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The numbers that the C libraries spell in three ways.
  private enum Resource: UInt32 {
    case stack = 3
    case core = 4
    case addressSpace = 9
  }

  private static func setLimit(_ resource: Resource, _ bytes: UInt) {
    #if os(Linux)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(.init(resource.rawValue), &limit)
    #endif
  }

  private static func setTimer(_ limit: itimerval) {
    var limit = limit
    // ITIMER_PROF, which the C libraries spell in three ways.
    setitimer(.init(2), &limit, nil)
  }
}
