import Diagnostics
import FoundationEssentials
import MigrationPlanning
import ModelLoading
import ModelMapping
import ObjectModel
import RemodelKit

/// Models: hashed, written and read again, laid out as tables, and migrated from a neighbour.
extension Trial {
  mutating func use(_ loaded: LoadedModel, of form: ModelForm) {
    advance(to: .read)
    check(loaded.warnings)
    use(loaded.model, of: form)
  }

  mutating func readArchive() throws {
    let model = try ModelArchive.model(from: String(decoding: input, as: UTF8.self))
    let complaints = model.complaints()
    for complaint in complaints { _ = complaint.diagnostic(in: model, at: nil).description }
    // The archive's writer has had a model without faults.
    guard !complaints.contains(where: { $0.severity == .error }) else { return }
    advance(to: .read)
    use(model, of: nil)
  }

  private mutating func use(_ model: ManagedObjectModel, of form: ModelForm?) {
    let hashes = model.versionHashes()
    for other in ModelForm.allCases { write(model, hashes, as: other, isItsOwn: other == form) }
    archive(model)
    // Planning a large model takes longer than reading hundreds of small ones.
    guard model.entities.count <= 12 || random.once(in: 20) else { return }
    let diagram = EntityDiagram(of: model)
    _ = (diagram.dot, diagram.mermaid, diagram.svg)
    plan(model)
  }

  private mutating func write(
    _ model: ManagedObjectModel,
    _ hashes: ModelVersionHashes,
    as form: ModelForm,
    isItsOwn: Bool
  ) {
    let text: String
    do {
      text = try form.text(of: model, named: "input")
    } catch {
      if isItsOwn {
        fault("cannot be written as it was read: \(error.diagnostics.map(\.description))")
      }
      return
    }
    let copy =
      switch form {
      case .xcode: try? ModelLoader.load(xml: Array(text.utf8), path: "copy")
      case .yaml: try? ModelLoader.load(yaml: Array(text.utf8), path: "copy")
      }
    guard let copy else { return fault("what was written as \(form) cannot be read") }
    if copy.model.versionHashes() != hashes { fault("written as \(form) it has another hash") }
    if (try? form.text(of: copy.model, named: "copy")) != text {
      fault("written as \(form) twice it is not the same")
    }
  }

  private mutating func archive(_ model: ManagedObjectModel) {
    do {
      let text = try ModelArchive.text(of: model)
      if try ModelArchive.model(from: text) != model { fault("another model is in its archive") }
    } catch {
      fault("cannot be archived: \(error)")
    }
  }

  // MARK: - Plans

  private mutating func plan(_ model: ManagedObjectModel) {
    guard let version = version(model, "2") else { return }
    let planner = planner()
    do {
      check(try planner.step(creating: version))
      guard let original = neighbours.model(at: seed.path),
        let neighbour = self.version(original, "1")
      else { return }
      _ = ModelDifference(from: original, to: model).changes.map(\.description)
      let (before, after) = random.once(in: 2) ? (neighbour, version) : (version, neighbour)
      let mapping = try CompleteMapping(
        from: before.projection.model,
        to: after.projection.model,
        hashes: (before.hashes, after.hashes)
      )
      check(try planner.step(from: before, to: after, by: mapping))
    } catch let error as any DiagnosticError {
      checkPlanning(error)
    } catch {
      fault("error without words: \(error)")
    }
  }

  mutating func planner() -> MigrationPlanner {
    var planner = MigrationPlanner(
      removals: random.once(in: 2) ? .retain : .drop,
      strategy: random.once(in: 2) ? .locked : .online,
      serverMajor: random.once(in: 2) ? 15 : 18
    )
    planner.isPhased = planner.strategy == .online
    return planner
  }

  /// Returns the model laid out as tables, unless it cannot be.
  mutating func version(_ model: ManagedObjectModel, _ name: String) -> PlannedVersion? {
    do {
      return PlannedVersion(
        name: name,
        hashes: model.versionHashes(),
        projection: try ModelProjection(model, schema: "s")
      )
    } catch {
      check(error.diagnostics, isError: true)
      return nil
    }
  }

  mutating func check(_ step: MigrationStep) {
    advance(to: .planned)
    check(step.warnings)
    _ = step.digest
    let texts =
      step.allStatements.map(\.sql.text) + step.preconditions.map(\.query.text)
    // The server's language ends a text there, and would carry out the beginning.
    if texts.contains(where: { $0.utf8.contains(0) }) {
      fault("a statement has the character zero")
    }
  }

  mutating func checkPlanning(_ error: any DiagnosticError) {
    check(error.diagnostics, isError: true)
    guard let planning = error as? PlanningError, case .circularOperations = planning.fact else {
      return
    }
    fault(planning.diagnostics.map(\.description).joined(separator: "\n"))
  }
}
