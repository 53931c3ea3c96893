internal import SQLSyntax

/// One of several renames that belong together.
struct Rename: Hashable {
  var from: SQLIdentifier
  var to: SQLIdentifier
  var isFromTemporary = false

  /// Returns renames that can be put in an order: where names change places in a circle, one of them
  /// takes a temporary name on its way.
  static func breakingCircles(_ names: [SQLIdentifier: SQLIdentifier]) -> [Rename] {
    let changed = names.filter { $0.key != $0.value }
    var renames: [Rename] = []
    var done: Set<SQLIdentifier> = []
    for start in changed.keys.sorted() where !done.contains(start) {
      var chain = [start]
      done.insert(start)
      var isCircle = false
      while let last = chain.last, let next = changed[last], changed[next] != nil {
        if next == start { isCircle = true }
        guard done.insert(next).inserted else { break }
        chain.append(next)
      }
      for name in chain {
        guard let newName = changed[name] else { continue }
        if isCircle, name == start {
          let temporary = StorageNames.temporary(name)
          renames.append(Rename(from: name, to: temporary))
          renames.append(Rename(from: temporary, to: newName, isFromTemporary: true))
        } else {
          renames.append(Rename(from: name, to: newName))
        }
      }
    }
    return renames
  }
}
