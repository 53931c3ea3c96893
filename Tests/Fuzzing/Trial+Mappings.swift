import Diagnostics
import FoundationEssentials
import MigrationPlanning
import ModelLoading
import ModelMapping
import ObjectModel

/// Mapping models: written and read again, checked against their versions, and planned.
extension Trial {
  mutating func use(_ mapping: LoadedMapping) throws {
    advance(to: .read)
    check(mapping.warnings)
    writeAgain(mapping)
    for hole in mapping.openHoles() {
      let place = mapping.locations.location(of: hole.element)
      check([hole.diagnostic(in: mapping.mappingModel, at: place)])
    }
    guard let (source, destination) = neighbours.ends(of: mapping, seed) else { return }
    let complaints = mapping.mappingModel.complaints(from: source, to: destination)
    check(
      complaints.map { complaint in
        let place = mapping.locations.location(of: complaint.textPart, in: complaint.element)
        return complaint.diagnostic(in: mapping.mappingModel, at: place)
      }
    )
    guard mapping.openHoles().isEmpty, !complaints.contains(where: { $0.severity == .error })
    else { return }
    plan(mapping.mappingModel, from: source, to: destination)
  }

  private mutating func writeAgain(_ mapping: LoadedMapping) {
    // Xcode's file need not name its versions; the caller of the conversion does.
    var (source, destination) = (mapping.source, mapping.destination)
    source.name = source.name ?? "1"
    destination.name = destination.name ?? "2"
    let text = mapping.yaml(source: source, destination: destination)
    do {
      let copy = try MappingLoader.load(yaml: Array(text.utf8), name: "input", path: "copy")
      // The names that Xcode's file has of itself are for finding the versions.
      if copy.mappingModel != mapping.mappingModel { fault("reads back as another mapping model") }
      if copy.yaml() != text { fault("written twice it is not the same") }
      if copy.holes.count != mapping.holes.count { fault("has other holes when it is read again") }
    } catch {
      let isLarge = text.utf8.count > 10_000
      if !isLarge { fault("cannot be read again: \(error.diagnostics.map(\.description))") }
    }
  }

  private mutating func plan(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    guard source.entities.count <= 15 || random.once(in: 10),
      let before = version(source, "1"), let after = version(destination, "2")
    else { return }
    do {
      let complete = try CompleteMapping(
        completing: mapping,
        from: source,
        to: destination,
        hashes: (before.hashes, after.hashes)
      )
      check(try planner().step(from: before, to: after, by: complete))
    } catch let error as any DiagnosticError {
      checkPlanning(error)
    } catch {
      fault("error without words: \(error)")
    }
  }
}
