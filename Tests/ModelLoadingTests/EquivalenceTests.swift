import ModelLoading
import ObjectModel
import Testing

@Suite
struct EquivalenceTests {
  @Test
  func `a model is the same in Xcode's form and in ours`() throws {
    let xcode = try ModelLoader.load(xml: Array(Samples.xml.utf8), path: "contents")
    let ours = try ModelLoader.load(yaml: Array(Samples.yaml.utf8), path: "2.yaml")

    let first = xcode.model.withoutForeign
    let second = ours.model
    #expect(first.entities.map(\.name) == second.entities.map(\.name))
    for (one, other) in zip(first.entities, second.entities) {
      #expect(one.attributes == other.attributes)
      #expect(one == other)
    }
    #expect(first == second)
    #expect(xcode.warnings.isEmpty)
    #expect(ours.warnings.isEmpty)
  }
}
