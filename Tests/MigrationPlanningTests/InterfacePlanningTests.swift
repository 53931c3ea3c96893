import Diagnostics
import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// The version before stays served where views alone can do it, and the plan says where they cannot.
@Suite(.timeLimit(.minutes(30)))
struct InterfacePlanningTests {
  /// How many pairs of versions are served, and why others are not.
  private struct Tally {
    var whole = 0
    var partly = 0
    var never = 0
    var withoutMapping = 0
    var withoutWayBack = 0
    var bridged = 0
    var linked = 0
    var postponed = 0
    var reasons: [String: Int] = [:]

    var summary: String {
      let found = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
      return "pairs of real models: \(whole) served whole, \(partly) in part, \(never) not at all, "
        + "\(withoutMapping) without an inferred mapping, \(withoutWayBack) without one that leads back; "
        + "kept in step: \(bridged) tables, \(linked) relationships; postponed: \(postponed) constraints; "
        + "not served: \(found)"
    }
  }

  @Test(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
  func `every view of a served version has what it shows`() throws {
    var tally = Tally()
    for pair in try VersionPair.all().sample() {
      let (source, destination) = try pair.planned()
      let (model, nextModel) = (source.projection.model, destination.projection.model)
      var planner = MigrationPlanner()
      planner.wayBack = try? CompleteMapping(from: nextModel, to: model, isReturn: true)
      if planner.wayBack == nil { tally.withoutWayBack += 1 }
      guard
        let mapping = try? CompleteMapping(from: model, to: nextModel),
        var plain = try? planner.step(from: source, to: destination, by: mapping)
      else {
        tally.withoutMapping += 1
        continue
      }
      if !plain.postponable.isEmpty {
        tally.postponed += plain.postponable.count
        let later = destination.postponing(plain.postponable)
        plain = try planner.step(from: source, to: later, by: mapping)
      }
      tally.linked += plain.links.count
      let before = VersionInterface(of: source, schema: "app_v1")
      var planning = InterfacePlanning(
        [before],
        prefix: "app_v",
        keepsPrevious: true,
        unservedEntities: Set(source.projection.model.entities.map(\.name))
      )
      let step = try planning.serve(plain, isLast: true)

      let served = try #require(
        planning.interfaces.first { $0.schema == "app_v1" } ?? planning.interfaces.first
      )
      check(served, after: step, of: pair)
      tally.bridged += served.bridges.count
      let lost = step.unservedTables
      for table in lost {
        for obstacle in step.releaseTables.first(where: { $0.name == table.name })?.obstacles ?? []
        {
          tally.reasons[obstacle.kind, default: 0] += 1
        }
      }
      if lost.isEmpty {
        tally.whole += 1
      } else if lost.count < before.views.count {
        tally.partly += 1
      } else {
        tally.never += 1
      }
    }
    print(tally.summary)
    #expect(tally.whole > 0)
  }

  /// The tables and columns of each view are there when the step has run.
  private func check(_ interface: VersionInterface, after step: MigrationStep, of pair: VersionPair)
  {
    let schema = step.destination.projection.schema
    let retainedTables = Set(step.retained.filter { $0.column == nil }.map(\.table))
    let retainedColumns = Set(
      step.retained.compactMap { object in object.column.map { "\(object.table).\($0)" } }
    )
    for view in interface.views {
      guard let table = view.table else { continue }
      if retainedTables.contains(table) { continue }
      let columns = Set(schema.tables[table]?.columns.map(\.name) ?? [])
      #expect(!columns.isEmpty, "\(pair.name): \(view.name) shows \(table)")
      for column in view.columns where !columns.contains(column.source) {
        #expect(
          retainedColumns.contains("\(table).\(column.source)"),
          "\(pair.name): \(view.name) shows \(table).\(column.source)"
        )
      }
    }
  }
}

extension ReleaseTable.Obstacle {
  /// The kind, without names.
  fileprivate var kind: String {
    switch self {
    case .breakage(let breakage):
      Mirror(reflecting: breakage).children.first?.label ?? "\(breakage)"
    case .valuesChanged: "valuesChanged"
    case .columnMoved: "columnMoved"
    case .rowsMoved: "rowsMoved"
    case .unbridged: "unbridged"
    case .conflict: "conflict"
    }
  }
}
