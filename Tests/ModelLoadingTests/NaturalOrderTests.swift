import Testing

@testable import ModelLoading

@Suite
struct NaturalOrderTests {
  @Test(arguments: [
    ["1", "2", "10"], ["Shop", "Shop 2", "Shop 10"], ["a1b2", "a1b10", "a2"], ["v1.9", "v1.10"],
    ["A2", "a10"], ["a02", "a2"], ["", "a"], ["99999999999999999999", "100000000000000000000"],
  ])
  func `numbers in names sort by their values`(names: [String]) {
    #expect(names.reversed().sorted(by: naturallyPrecedes) == names)
  }
}
