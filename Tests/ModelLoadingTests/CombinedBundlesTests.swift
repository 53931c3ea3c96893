import ModelLoading
import ObjectModel
import Testing

/// Bundles that are merged, each at a version of its own.
@Suite
struct CombinedBundlesTests {
  private func bundle(_ name: String, _ versions: [String]) throws -> ModelBundle {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: name,
        attributes: [AttributeDescription(name: "x", type: .string)]
      )
    ])
    return switch versions.count {
    case 1: try ModelBundle(name: name, versions: [versions[0]: model])
    case 2: try ModelBundle(name: name, versions: [versions[0]: model, versions[1]: model])
    default:
      try ModelBundle(
        name: name,
        versions: [versions[0]: model, versions[1]: model, versions[2]: model]
      )
    }
  }

  @Test
  func `the current version is made of the current ones, in any order of the bundles`() throws {
    let shop = try bundle("Shop", ["1", "2", "3"])
    let users = try bundle("Users", ["a", "b"])

    for bundles in [[shop, users], [users, shop], [shop, users, shop]] {
      let merged = try ModelBundle(merging: bundles)

      #expect(merged.name == "Shop+Users")
      #expect(merged.currentVersion.name == "3+b")
      let model = try merged.load(merged.currentVersion).model
      #expect(model.entities.map(\.name) == ["Shop", "Users"])
      for first in ["1", "2", "3"] {
        for second in ["a", "b"] {
          let version = try #require(merged.version(named: "\(first)+\(second)"))
          #expect(try merged.load(version).model.entities.count == 2)
        }
      }
      #expect(merged.version(named: "3") == nil)
      #expect(merged.version(named: "3+c") == nil)
      #expect(merged.version(named: "3+b+1") == nil)
    }
    #expect(try ModelBundle(merging: [shop]).name == "Shop")
  }

  @Test
  func `plus signs in names of versions are no obstacle`() throws {
    let merged = try ModelBundle(merging: [
      bundle("A", ["1", "1+2", "C++"]), bundle("B", ["2", "2+3"]), bundle("D", ["+"]),
    ])

    for first in ["1", "1+2", "C++"] {
      for second in ["2", "2+3"] {
        let name = "\(first)+\(second)++"
        #expect(merged.version(named: name)?.name == name)
      }
    }
  }

  @Test(arguments: [
    ("1+a", "3+b", ["1+a", "2+a", "3+a", "3+b"]), ("3+b", "2+a", ["2+a", "3+a", "3+b"]),
    ("2+b", "3+a", ["3+a", "2+b"]), ("2+b", "2+b", ["2+b"]), ("9+9", "3+b", ["3+b"]),
  ])
  func `the bundles go on one after the other`(
    source: String,
    target: String,
    way: [String]
  ) throws {
    let merged = try ModelBundle(merging: [
      bundle("Users", ["a", "b"]), bundle("Shop", ["1", "2", "3"]),
    ])

    #expect(merged.versions(from: source, to: target).map(\.name) == way)
  }
}
