import Testing

@testable import MigrationPlanning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite
struct TableBridgeTests {
  @Test
  func `one that says nothing of formats has functions with all settings`() throws {
    let record = #"{"table":"item","version":"1","columns":[],"groups":[],"fallbacks":[]}"#
    let bridge = try JSONDecoder().decode(TableBridge.self, from: Data(record.utf8))
    #expect(bridge.readsFormats)
  }
}
