import TestSupport
import Testing

@testable import RemodelKit

@Suite
struct LayeredLayoutTests {
  private struct Drawing {
    var nodes: [LayeredLayout.Node] = []
    var edges: [LayeredLayout.Edge] = []

    init(seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        let width = Int.random(in: 100...300, using: &generator)
        let height = Int.random(in: 28...400, using: &generator)
        nodes.append(LayeredLayout.Node(width: width, height: height))
      }
      for _ in 0..<Int.random(in: 0...60, using: &generator) {
        let from = Int.random(in: nodes.indices, using: &generator)
        let to = Int.random(in: nodes.indices, using: &generator)
        edges.append(LayeredLayout.Edge(from: from, fromOffset: 14, to: to, toOffset: 20))
      }
    }

    func layout(_ width: Int = 700) -> LayeredLayout {
      LayeredLayout(nodes, edges, preferredWidth: width)
    }
  }

  @Test
  func `boxes never overlap, and all are inside`() {
    for seed in 1...150 as ClosedRange<UInt64> {
      let drawing = Drawing(seed: seed)
      let layout = drawing.layout()
      for (index, place) in layout.places.enumerated() {
        let height = drawing.nodes[index].height
        #expect(place.x >= 0 && place.y >= 0, "seed \(seed)")
        #expect(place.x + place.width <= layout.width, "seed \(seed)")
        #expect(place.y + height <= layout.height, "seed \(seed)")
        #expect(place.width >= drawing.nodes[index].width, "seed \(seed)")
        for (otherIndex, other) in layout.places.enumerated().prefix(index) {
          let isBeside = place.x + place.width <= other.x || other.x + other.width <= place.x
          let isBelow =
            place.y + height <= other.y
            || other.y + drawing.nodes[otherIndex].height <= place.y
          #expect(isBeside || isBelow, "seed \(seed): \(index) and \(otherIndex)")
        }
      }
    }
  }

  @Test
  func `lines lead to the same or a neighbouring column, so that they cross no box`() {
    for seed in 1...150 as ClosedRange<UInt64> {
      let drawing = Drawing(seed: seed)
      let layout = drawing.layout()
      for edge in drawing.edges {
        let (from, to) = (layout.places[edge.from], layout.places[edge.to])
        #expect(abs(from.column - to.column) <= 1, "seed \(seed)")
        let (left, right) = from.x < to.x ? (from, to) : (to, from)
        let gap = right.x - (left.x + left.width)
        #expect(from.x == to.x || gap == LayeredLayout.columnGap, "seed \(seed)")
      }
    }
  }

  @Test
  func `the same boxes get the same places`() {
    for seed in 1...20 as ClosedRange<UInt64> {
      #expect(Drawing(seed: seed).layout() == Drawing(seed: seed).layout())
    }
  }

  @Test
  func `a line between two boxes is level where that can be had`() {
    let nodes = [
      LayeredLayout.Node(width: 100, height: 200), LayeredLayout.Node(width: 100, height: 40),
    ]
    let edge = LayeredLayout.Edge(from: 0, fromOffset: 150, to: 1, toOffset: 20)

    let layout = LayeredLayout(nodes, [edge], preferredWidth: 700)

    #expect(layout.places[0].y + 150 == layout.places[1].y + 20)
  }

  @Test
  func `boxes without lines stand in columns`() {
    let nodes = Array(repeating: LayeredLayout.Node(width: 100, height: 50), count: 12)

    let layout = LayeredLayout(nodes, [], preferredWidth: 400)

    #expect(layout.width <= 400)
    #expect(Set(layout.places.map(\.x)).count == 3)
  }

  @Test
  func `no boxes take no room`() {
    let layout = LayeredLayout([], [], preferredWidth: 700)

    #expect(layout.width == 0)
    #expect(layout.height == 0)
  }
}
