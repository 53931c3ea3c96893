import ModelMapping
import ObjectModel
import TestSupport
import Testing

struct ModelMergeTests {
  @Test
  func `an identifier that would take the values of the other version's attribute is refused`() {
    let base = Samples.model("A", AttributeDescription(name: "old", type: .string))
    let first = Samples.model(
      "A",
      AttributeDescription(name: "old", type: .string),
      AttributeDescription(name: "note", type: .string)
    )
    let second = Samples.model(
      "A",
      AttributeDescription(name: "old", type: .string),
      AttributeDescription(name: "remark", type: .string, renamingIdentifier: "note")
    )

    let merge = ModelMerge(of: first, and: second, over: base)

    #expect(merge.conflicts == [])
    #expect(merge.complaints.count == 1)
    #expect(merge.complaints.first?.contains("\"note\"") == true)
    #expect(ModelMerge(of: second, and: second, over: base).isClean)
  }
}
