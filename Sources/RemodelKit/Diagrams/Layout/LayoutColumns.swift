/// A connected part of a picture in columns.
struct LayoutColumns {
  private let graph: LayoutGraph
  private var columns: [[Int]]
  private var tops: [Int: Int] = [:]
  /// The lines between neighbouring columns, by the column on the left.
  private var edges: [[LayeredLayout.Edge]] = []

  /// Distributes connected boxes over the columns that give the best picture.
  init(of members: [Int], in graph: LayoutGraph, preferredWidth: Int) {
    self.graph = graph
    var best: (columns: [[Int]], cost: Int)?
    for root in members {
      for columns in Self.candidates(from: root, members, graph) {
        let cost = Self.cost(of: columns, graph, preferredWidth)
        if cost < best?.cost ?? .max { best = (columns, cost) }
      }
    }
    columns = best?.columns ?? [members]
    sortEdges()
    arrange()
  }

  var places: [(node: Int, place: LayeredLayout.Place)] {
    let top = tops.values.min() ?? 0
    var x = 0
    var places: [(Int, LayeredLayout.Place)] = []
    for (index, column) in columns.enumerated() {
      let width = Self.width(of: column, graph)
      for node in column {
        let y = (tops[node] ?? 0) - top
        places.append((node, LayeredLayout.Place(x: x, y: y, width: width, column: index)))
      }
      x += width + LayeredLayout.columnGap
    }
    return places
  }

  /// The width, with room for lines on the right of the last column.
  var width: Int {
    Self.width(of: columns, graph) + (hasLastLoop ? LayeredLayout.columnGap / 2 : 0)
  }

  var height: Int {
    let top = tops.values.min() ?? 0
    return tops.map { $1 + graph.nodes[$0].height - top }.max() ?? 0
  }

  private var hasLastLoop: Bool {
    let last = Set(columns.last ?? [])
    return graph.edges.contains { last.contains($0.from) && last.contains($0.to) }
  }

  // MARK: - Columns

  /// Returns the boxes by their distance from one of them: to the right, and to both sides if parts
  /// are connected only by that box.
  private static func candidates(
    from root: Int,
    _ members: [Int],
    _ graph: LayoutGraph
  ) -> [[[Int]]] {
    let layers = graph.layers(from: root)
    let branches = graph.components(of: members, without: root)
    guard branches.count > 1 else { return [layers] }
    func height(_ branch: [Int]) -> Int { branch.reduce(0) { $0 + graph.nodes[$1].height } }
    var left: Set<Int> = []
    var balance = 0
    let byHeight = branches.enumerated()
      .sorted { (height($1.element), $0.offset) < (height($0.element), $1.offset) }
    for branch in byHeight.map(\.element) {
      if balance > 0 {
        left.formUnion(branch)
        balance -= height(branch)
      } else {
        balance += height(branch)
      }
    }
    let outer = layers.dropFirst()
    let onLeft = outer.map { $0.filter(left.contains) }.filter { !$0.isEmpty }
    let onRight = outer.map { $0.filter { !left.contains($0) } }.filter { !$0.isEmpty }
    return [layers, onLeft.reversed() + [[root]] + onRight]
  }

  /// Returns how bad a picture would be: it is to be low, and not wider than wanted.
  private static func cost(of columns: [[Int]], _ graph: LayoutGraph, _ preferredWidth: Int) -> Int
  {
    let height =
      columns.map { column in
        column.reduce(-LayeredLayout.rowGap) {
          $0 + graph.nodes[$1].height + LayeredLayout.rowGap
        }
      }
      .max() ?? 0
    let width = width(of: columns, graph)
    return height + width / 8 + 4 * max(0, width - preferredWidth)
  }

  private static func width(of column: [Int], _ graph: LayoutGraph) -> Int {
    column.map { graph.nodes[$0].width }.max() ?? 0
  }

  private static func width(of columns: [[Int]], _ graph: LayoutGraph) -> Int {
    columns.reduce(-LayeredLayout.columnGap) { $0 + width(of: $1, graph) + LayeredLayout.columnGap }
  }

  /// Sorts the lines by the gap that they run in, each from left to right.
  private mutating func sortEdges() {
    var columnOf: [Int: Int] = [:]
    for (index, column) in columns.enumerated() {
      for node in column { columnOf[node] = index }
    }
    edges = Array(repeating: [], count: columns.count)
    for edge in graph.edges {
      guard let from = columnOf[edge.from], let to = columnOf[edge.to], from != to else { continue }
      edges[min(from, to)].append(from < to ? edge : edge.reversed)
    }
  }

  // MARK: - Rows

  /// Orders the boxes of each column so that there are few crossings, and connected boxes are near.
  private mutating func arrange() {
    for index in columns.indices { stack(index) }
    var best = (columns, tops, disorder: disorder)
    for _ in 0..<12 {
      for index in columns.indices.dropFirst() { settle(index, by: edges[index - 1], left: true) }
      for index in columns.indices.dropLast().reversed() {
        settle(index, by: edges[index], left: false)
      }
      let disorder = disorder
      if disorder < best.disorder { best = (columns, tops, disorder) }
    }
    (columns, tops) = (best.0, best.1)
    for _ in 0..<4 {
      for index in columns.indices { straighten(index) }
    }
  }

  private mutating func stack(_ index: Int) {
    let heights = columns[index].map { graph.nodes[$0].height }
    var y = -(heights.reduce(-LayeredLayout.rowGap) { $0 + $1 + LayeredLayout.rowGap }) / 2
    for (node, height) in zip(columns[index], heights) {
      tops[node] = y
      y += height + LayeredLayout.rowGap
    }
  }

  /// Sorts a column by where its lines from one side come from.
  private mutating func settle(_ index: Int, by edges: [LayeredLayout.Edge], left: Bool) {
    let wishes = wishes(edges.map { left ? $0.reversed : $0 })
    let wanted = columns[index].enumerated()
      .map { (offset: $0, node: $1, top: wishes[$1]?.mean ?? tops[$1] ?? 0) }
      .sorted {
        let (first, second) = (graph.nodes[$0.node].height, graph.nodes[$1.node].height)
        return ($0.top + first / 2, $0.offset) < ($1.top + second / 2, $1.offset)
      }
    columns[index] = wanted.map(\.node)
    place(wanted.map { ($0.node, $0.top, wishes[$0.node]?.count ?? 1) })
  }

  /// Moves the boxes of a column near to their neighbors on both sides, without changing their
  /// order.
  private mutating func straighten(_ index: Int) {
    let left = index > 0 ? edges[index - 1].map(\.reversed) : []
    let wishes = wishes(left + edges[index])
    place(
      columns[index].map { ($0, wishes[$0]?.mean ?? tops[$0] ?? 0, wishes[$0]?.count ?? 1) }
    )
  }

  /// Returns where boxes would stand if the lines that begin at them were level, on average.
  private func wishes(_ edges: [LayeredLayout.Edge]) -> [Int: (mean: Int, count: Int)] {
    var sums: [Int: (sum: Int, count: Int)] = [:]
    for edge in edges {
      let top = (tops[edge.to] ?? 0) + edge.toOffset - edge.fromOffset
      let (sum, count) = sums[edge.from] ?? (0, 0)
      sums[edge.from] = (sum + top, count + 1)
    }
    return sums.mapValues { ($0.sum / $0.count, $0.count) }
  }

  /// Places boxes one below the other, with the least squares of the distances from where they want to
  /// be: those that would overlap form a block, which moves as one.
  private mutating func place(_ wishes: [(node: Int, top: Int, weight: Int)]) {
    var blocks: [(nodes: [Int], sum: Int, weight: Int, height: Int)] = []
    for wish in wishes {
      let height = graph.nodes[wish.node].height + LayeredLayout.rowGap
      blocks.append(([wish.node], wish.top * wish.weight, wish.weight, height))
      while blocks.count > 1 {
        let (upper, lower) = (blocks[blocks.count - 2], blocks[blocks.count - 1])
        guard lower.sum / lower.weight < upper.sum / upper.weight + upper.height else { break }
        blocks.removeLast(2)
        blocks.append(
          (
            upper.nodes + lower.nodes,
            upper.sum + lower.sum - upper.height * lower.weight,
            upper.weight + lower.weight,
            upper.height + lower.height
          )
        )
      }
    }
    for block in blocks {
      var top = block.sum / block.weight
      for node in block.nodes {
        tops[node] = top
        top += graph.nodes[node].height + LayeredLayout.rowGap
      }
    }
  }

  /// How many lines cross, and how far they lead up and down in all.
  private var disorder: (crossings: Int, distance: Int) {
    var crossings = 0
    var distance = 0
    for gap in edges {
      let ends = gap.map { edge in
        ((tops[edge.from] ?? 0) + edge.fromOffset, (tops[edge.to] ?? 0) + edge.toOffset)
      }
      for (index, first) in ends.enumerated() {
        distance += abs(first.0 - first.1)
        for second in ends[..<index] where (first.0 - second.0) * (first.1 - second.1) < 0 {
          crossings += 1
        }
      }
    }
    return (crossings, distance)
  }
}

extension LayeredLayout.Edge {
  fileprivate var reversed: LayeredLayout.Edge {
    LayeredLayout.Edge(from: to, fromOffset: toOffset, to: from, toOffset: fromOffset)
  }
}
