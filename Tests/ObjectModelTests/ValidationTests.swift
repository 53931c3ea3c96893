import ObjectModel
import Testing

@Suite
struct ValidationTests {
  @Test
  func `an empty model has no faults`() {
    #expect(ManagedObjectModel(entities: []).complaints().isEmpty)
  }
}
