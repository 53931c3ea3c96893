/// Positions for boxes of given sizes, so that lines between them cross no box.
///
/// The boxes of a connected part are in columns, ordered by the number of lines from a box in the
/// middle: a line then leads to a neighboring column or stays in its own, and runs only in the gap
/// between columns. The layout is deterministic.
struct LayeredLayout: Hashable, Sendable {
  /// A box.
  struct Node: Hashable, Sendable {
    let width: Int
    let height: Int
  }

  /// A line between two boxes, with how far below the tops of the boxes it ends.
  struct Edge: Hashable, Sendable {
    let from: Int
    let fromOffset: Int
    let to: Int
    let toOffset: Int
  }

  /// The place of a box.
  struct Place: Hashable, Sendable {
    var x: Int
    var y: Int
    /// The width of the column, which the box fills.
    var width: Int
    var column: Int
  }

  /// The places, in the order of the boxes.
  private(set) var places: [Place]
  /// The size of the whole.
  private(set) var width = 0
  private(set) var height = 0

  /// The distances between columns, where the lines are, and between boxes in a column.
  static let columnGap = 84
  static let rowGap = 22

  /// Computes the layout of boxes.
  ///
  /// - Parameters:
  ///   - nodes: The boxes.
  ///   - edges: The lines.
  ///   - preferredWidth: The preferred maximum width.
  init(_ nodes: [Node], _ edges: [Edge], preferredWidth: Int) {
    places = Array(repeating: Place(x: 0, y: 0, width: 0, column: 0), count: nodes.count)
    let graph = LayoutGraph(nodes, edges)
    let parts = graph.components.filter { $0.count > 1 }
      .map { LayoutColumns(of: $0, in: graph, preferredWidth: preferredWidth) }
    let singles = graph.components.filter { $0.count == 1 }.flatMap(\.self)
    pack(parts, nodes, preferredWidth)
    packGrid(singles, nodes, preferredWidth)
  }

  /// Puts connected parts beside one another as long as there is room, then below.
  private mutating func pack(_ parts: [LayoutColumns], _ nodes: [Node], _ preferredWidth: Int) {
    var x = 0
    var shelf = 0
    var shelfHeight = 0
    for part in parts {
      if x > 0, x + part.width > preferredWidth {
        shelf += shelfHeight + 2 * Self.rowGap
        x = 0
        shelfHeight = 0
      }
      for (node, place) in part.places {
        places[node] = place
        places[node].x += x
        places[node].y += shelf
      }
      width = max(width, x + part.width)
      x += part.width + Self.columnGap / 2
      shelfHeight = max(shelfHeight, part.height)
      height = max(height, shelf + part.height)
    }
  }

  /// Puts boxes without lines below all else, each into the column that is the shortest so far.
  private mutating func packGrid(_ singles: [Int], _ nodes: [Node], _ preferredWidth: Int) {
    guard let widest = singles.map({ nodes[$0].width }).max() else { return }
    let step = widest + Self.rowGap
    let top = height == 0 ? 0 : height + 2 * Self.rowGap
    let room = max(width, preferredWidth) + Self.rowGap
    let count = min(max(1, room / step), singles.count)
    var bottoms = Array(repeating: top, count: count)
    for node in singles {
      let column = bottoms.indices.min { bottoms[$0] < bottoms[$1] } ?? 0
      places[node] = Place(x: column * step, y: bottoms[column], width: widest, column: column)
      height = max(height, bottoms[column] + nodes[node].height)
      bottoms[column] += nodes[node].height + Self.rowGap
    }
    width = max(width, count * step - Self.rowGap)
  }
}

/// Boxes and their connections.
struct LayoutGraph {
  let nodes: [LayeredLayout.Node]
  let edges: [LayeredLayout.Edge]
  /// The boxes that a line leads to from each box, each once, itself not among them.
  let neighbours: [[Int]]

  init(_ nodes: [LayeredLayout.Node], _ edges: [LayeredLayout.Edge]) {
    self.nodes = nodes
    self.edges = edges
    var neighbours = [[Int]](repeating: [], count: nodes.count)
    for edge in edges where edge.from != edge.to {
      if !neighbours[edge.from].contains(edge.to) { neighbours[edge.from].append(edge.to) }
      if !neighbours[edge.to].contains(edge.from) { neighbours[edge.to].append(edge.from) }
    }
    self.neighbours = neighbours
  }

  /// The connected parts, the one with most boxes first.
  var components: [[Int]] {
    components(of: Array(nodes.indices), without: nil).enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map(\.element)
  }

  /// Returns the connected parts of some boxes, once one of them has been taken out.
  func components(of members: [Int], without removed: Int?) -> [[Int]] {
    var seen = Set(removed.map { [$0] } ?? [])
    return members.compactMap { start in
      guard seen.insert(start).inserted else { return nil }
      var component = [start]
      var next = 0
      while next < component.count {
        for neighbour in neighbours[component[next]] where seen.insert(neighbour).inserted {
          component.append(neighbour)
        }
        next += 1
      }
      return component.sorted()
    }
  }

  /// Returns the boxes by their distance from one of them.
  func layers(from root: Int) -> [[Int]] {
    var layers = [[root]]
    var seen: Set<Int> = [root]
    while true {
      let layer = (layers.last ?? []).flatMap { neighbours[$0] }.filter { seen.insert($0).inserted }
      if layer.isEmpty { return layers }
      layers.append(layer)
    }
  }
}
