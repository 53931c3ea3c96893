import Testing

@testable import RemodelCommands

@Suite
struct DurationTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("5m", .seconds(300)),
    ("7d", .seconds(604_800)), ("1h30m", .seconds(5_400)), ("1.5s", .milliseconds(1_500)),
    ("0", .zero), ("0s", .zero),
  ])
  func `a duration is a number with a unit`(text: String, duration: Duration) {
    #expect(Duration(text: text) == duration)
  }

  @Test(arguments: [
    "", "5", "s", "-5s", "5 s", "5S", "5x", "1.s", ".5s", "1..5s", "nan", "999999999999d", "1e3s",
    "٥s",
  ])
  func `anything else is no duration`(text: String) {
    #expect(Duration(text: text) == nil)
  }

  @Test(arguments: [
    (Duration.microseconds(1_234), "1.23 ms"), (.milliseconds(340), "340 ms"),
    (.milliseconds(2_480), "2.5 s"), (.seconds(200), "3 min 20 s"), (.seconds(7_260), "2 h 1 min"),
  ])
  func `a duration is shown in a suitable unit`(duration: Duration, text: String) {
    #expect(duration.brief == text)
  }
}
