internal import ObjectModel
internal import SQLSyntax

/// The names that things of one namespace want, and those that they get.
///
/// What people wrote keeps its name. Of others that want one name, the one of the higher rank gets it, and of
/// one rank the one whose own name in the model is the first by its bytes; the rest give way to names made of what
/// they are. So a name depends on nothing but the things that want it: not on their order in files, and not on
/// what else a model has.
struct NameClaims {
  /// A thing that wants a name.
  struct Claim {
    /// The name that it wants.
    let name: SQLIdentifier
    /// Who goes first.
    let rank: Rank
    /// What it is.
    let subject: Subject
    /// What it is called if it gives way, where that is free.
    var alternative: Alternative?
  }

  /// What wants a name.
  enum Subject {
    case column(ColumnOrigin)
    /// A table, by the names in the model of what it is.
    case table([String])

    /// The names in the model of what it is, which no other of the namespace has.
    var path: [String] {
      switch self {
      case .column(let origin): origin.path
      case .table(let path): path
      }
    }
  }

  /// Kinds of things in the order in which they get names.
  enum Rank: Comparable {
    /// The rules need it under this name.
    case fixed
    /// People wrote the name.
    case given
    /// An entity or an attribute.
    case declared
    /// A foreign key.
    case reference
    /// What follows from others: a position or a join table. Of several that want one name none gets it.
    case following
  }

  /// A name for what gives way.
  enum Alternative {
    /// A name of its own.
    case name(SQLIdentifier)
    /// The position that stands beside the column of another claim, which is no position.
    case position(beside: Int)
  }

  private(set) var claims: [Claim] = []
  private let reserved: Set<SQLIdentifier>

  /// Creates a namespace.
  ///
  /// - Parameter reserved: The names that only what people wrote can have.
  init(reserving reserved: Set<SQLIdentifier>) {
    self.reserved = reserved
  }

  /// Adds a claim, and returns its place among all.
  @discardableResult
  mutating func add(_ claim: Claim) -> Int {
    claims.append(claim)
    return claims.count - 1
  }

  /// Returns the name of each claim; none of one that wants what the rules or people gave to another.
  func names() -> [SQLIdentifier?] {
    // Nearly every table: nothing is wanted twice.
    let isPlain = claims.allSatisfy { $0.rank <= .given || !reserved.contains($0.name) }
    if isPlain, Set(claims.map(\.name)).count == claims.count { return claims.map(\.name) }

    var names = [SQLIdentifier?](repeating: nil, count: claims.count)
    var taken: Set<SQLIdentifier> = []
    var losers: [Int] = []
    let followers = Dictionary(grouping: claims.filter { $0.rank == .following }, by: \.name)
    for index in claims.indices.sorted(by: isBefore) {
      let claim = claims[index]
      switch claim.rank {
      case .fixed, .given:
        if taken.insert(claim.name).inserted { names[index] = claim.name }
      case .declared, .reference, .following:
        let isShared = claim.rank == .following && followers[claim.name]?.count != 1
        if !isShared, !reserved.contains(claim.name), taken.insert(claim.name).inserted {
          names[index] = claim.name
        } else {
          losers.append(index)
        }
      }
    }
    for index in losers {
      let name = candidates(for: claims[index], names)
        .first { !reserved.contains($0) && !taken.contains($0) }
      names[index] = name
      if let name { taken.insert(name) }
    }
    return names
  }

  private func isBefore(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (claims[first], claims[second])
    if one.rank != other.rank { return one.rank < other.rank }
    let paths = (one.subject.path, other.subject.path)
    if paths.0 != paths.1 { return paths.0.lexicographicallyPrecedes(paths.1, by: byBytes) }
    return first < second
  }

  /// Returns the names that what gives way could have, in the order in which they are tried.
  private func candidates(
    for claim: Claim,
    _ names: [SQLIdentifier?]
  ) -> some Sequence<SQLIdentifier> {
    var first: [SQLIdentifier] = []
    switch claim.alternative {
    case .name(let name): first.append(name)
    case .position(let index):
      if let column = names[index] { first.append(StorageNames.position(beside: column)) }
    case nil: break
    }
    let path = claim.subject.path.joined(separator: ".")
    let distinct = (0...claims.count).lazy.map { count in
      StorageNames.distinct(claim.name, of: count == 0 ? path : "\(path).\(count)")
    }
    return [AnySequence(first), AnySequence(distinct)].lazy.joined()
  }
}
