import Dispatch
import Synchronization
import Testing

@testable import RemodelKit

@Suite
struct OnceEachTests {
  private struct Spoiled: Error {}

  @Test
  func `a value is made once, however many ask for it at the same time`() {
    let values = OnceEach<Int, Int, any Error>()
    let count = Mutex(0)

    DispatchQueue.concurrentPerform(iterations: 64) { number in
      let value = try? values.value(for: number % 2) {
        count.withLock { $0 += 1 }
        return number % 2
      }
      #expect(value == number % 2)
    }

    #expect(count.withLock(\.self) == 2)
  }

  @Test
  func `what cannot be made is not tried again`() {
    let values = OnceEach<Int, Int, Spoiled>()
    var count = 0

    for _ in 0..<2 {
      #expect(throws: Spoiled.self) {
        try values.value(for: 0) { () throws(Spoiled) in
          count += 1
          throw Spoiled()
        }
      }
    }

    #expect(count == 1)
  }
}
