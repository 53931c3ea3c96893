internal import Synchronization

/// The part of Core Data's migration manager that policies in code need: user info that they share, and
/// rows of other entities.
///
/// One manager is handed to all policies of a step that ask for it in ``InstanceCreation``. It begins
/// without user info, also when a transaction is run again.
public final class MigrationManager: Sendable {
  private let state = Mutex(State())

  /// A row that is to be written, or another row of the source that becomes it.
  package struct Association: Sendable {
    /// The key of the row of the source.
    package let sourceKey: String
    /// The row.
    package let instance: DestinationInstance
    /// The number of the row.
    package let number: Int
    /// Whether the row is not written yet.
    package let isFirst: Bool
  }

  private struct State {
    var userInfo: [String: any Sendable] = [:]
    /// The layouts of the rows that policies can create, by the names of their entity mappings.
    var layouts: [String: InstanceLayout] = [:]
    var count = 0
    /// The rows of the source that each new row is associated with.
    var sources: [Int: Set<String>] = [:]
    var pending: [String: [Association]] = [:]
    /// The keys of rows that are written.
    var keys: [Int: String] = [:]
  }

  /// Creates a manager without user info.
  package init() {}

  /// Forgets what the step before created, and begins a step.
  package func begin(_ layouts: [String: InstanceLayout]) {
    state.withLock {
      $0 = State()
      $0.layouts = layouts
    }
  }

  /// What policies share, such as rows that one of them has looked up or created.
  public var userInfo: [String: any Sendable] {
    get { state.withLock { $0.userInfo } }
    set { state.withLock { $0.userInfo = newValue } }
  }

  /// Creates a row of another entity, with the default values of its attributes.
  ///
  /// Set its attributes, then associate it with rows of the source: the first association writes the
  /// row with the values that it has by then.
  ///
  /// - Parameter mappingName: The entity mapping whose rows are created by the mapping of the policy.
  /// - Returns: The row.
  /// - Throws: That the policy cannot create rows of the mapping.
  public func createInstance(
    forEntityMappingNamed mappingName: String
  ) throws(InstanceError) -> DestinationInstance {
    let found = state.withLock { state -> (layout: InstanceLayout, number: Int)? in
      guard let layout = state.layouts[mappingName] else { return nil }
      state.count += 1
      return (layout, state.count)
    }
    guard let found else {
      throw InstanceError(entityName: mappingName, key: "", fact: .notCreatedByPolicy(mappingName))
    }
    return DestinationInstance(found.layout, number: found.number, ofMapping: mappingName)
  }

  /// Associates a row that the manager has created with a row of the source, so that lookups by the
  /// entity mapping find it.
  ///
  /// - Parameters:
  ///   - source: The row of the source.
  ///   - instance: The row, which may be associated with others already.
  /// - Throws: That the manager has not created the row.
  public func associate(
    _ source: SourceInstance,
    with instance: DestinationInstance
  ) throws(InstanceError) {
    guard let (mappingName, number) = instance.managed else {
      throw InstanceError(
        entityName: instance.layout.destination.entityName,
        key: "",
        fact: .notCreatedByManager
      )
    }
    state.withLock { state in
      let isFirst = state.sources[number] == nil
      guard state.sources[number, default: []].insert(source.objectID).inserted else { return }
      state.pending[mappingName, default: []].append(
        Association(
          sourceKey: source.objectID,
          instance: instance,
          number: number,
          isFirst: isFirst
        )
      )
    }
  }

  /// Returns what is to be written for an entity mapping, and forgets it.
  package func takeAssociations(ofMapping name: String) -> [Association] {
    state.withLock { $0.pending.removeValue(forKey: name) ?? [] }
  }

  /// Notes the key of a row that is written.
  package func note(_ key: String, of number: Int) { state.withLock { $0.keys[number] = key } }

  /// Returns the key of a row that is written.
  package func key(of number: Int) -> String? { state.withLock { $0.keys[number] } }
}
