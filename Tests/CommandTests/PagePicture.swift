import Subprocess
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a browser shows of a page, small, for a comparison that fonts do not disturb.
struct PagePicture {
  /// The windows that pages are looked at in.
  enum Window: String, CaseIterable, Sendable {
    case phone, laptop, wide

    /// The width and height; the height is that of a long page.
    fileprivate var size: (width: Int, height: Int) {
      switch self {
      case .phone: (390, 3000)
      case .laptop: (1280, 2200)
      case .wide: (1600, 2200)
      }
    }
  }

  let png: Data

  init(png: Data) { self.png = png }

  /// Shows a page.
  init(of page: String, _ window: Window, isDark: Bool) async throws {
    let name = try #require(Browser.name)
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(page.utf8).write(to: folder.appending(path: "page.html"))
    // Windows have a least width, and scales a least one: a frame has neither.
    let (width, height) = window.size
    let frame = """
      <!DOCTYPE html><html><body style="margin:0;overflow:hidden;background:#888">\
      <iframe src="page.html" style="border:0;width:\(width)px;height:\(height)px;\
      transform:scale(.5);transform-origin:0 0"></iframe></body></html>
      """
    try Data(frame.utf8).write(to: folder.appending(path: "frame.html"))
    _ = try await run(
      .name(name),
      arguments: Arguments(
        Browser.options(folder, isDark: isDark) + [
          "--window-size=\(max(width / 2, 500)),\(height / 2)", "--hide-scrollbars",
          "--force-device-scale-factor=0.5", "--screenshot=\(folder.path)/page.png",
          "file://\(folder.path)/frame.html",
        ]
      ),
      output: .discarded,
      error: .string(limit: 1 << 22)
    )
    png = try Data(contentsOf: folder.appending(path: "page.png"))
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "picture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Compares the picture with the file of a name; with `RECORD_GOLDEN=1` in the environment it writes
  /// the file and fails.
  func expectGolden(named name: String, filePath: String = #filePath) async throws {
    let file = URL(filePath: filePath).deletingLastPathComponent()
      .appending(path: "Golden/Pictures/\(name)")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try png.write(to: file)
      Issue.record("recorded \"\(name)\"")
      return
    }
    let expected = PagePicture(png: try Data(contentsOf: file))
    let difference = try await difference(from: expected)
    #expect(difference == nil)
  }

  /// Returns in what a picture differs for the eye; `nil` if it does not.
  ///
  /// Cells of a few letters are compared by their mean colours, each with the cells around it, since fonts
  /// differ a little from one computer to another.
  func difference(from other: PagePicture) async throws -> String? {
    let name = try #require(Browser.name)
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = Self.comparison
      .replacing("FIRST", with: png.base64EncodedString())
      .replacing("SECOND", with: other.png.base64EncodedString())
    try Data(page.utf8).write(to: folder.appending(path: "comparison.html"))
    let lines = try await Browser.lines(of: "comparison.html", in: folder, name, isDark: false)
    return lines == ["alike"] ? nil : lines.joined(separator: "; ")
  }

  private static let comparison = #"""
    <!DOCTYPE html><html><body><pre id="result">not compared
    </pre><script>
    async function cells(text) {
      const image = new Image();
      const loaded = new Promise(done => image.onload = done);
      image.src = 'data:image/png;base64,' + text;
      await loaded;
      const size = 8, width = Math.floor(image.width / size), height = Math.floor(image.height / size);
      const canvas = document.createElement('canvas');
      canvas.width = image.width; canvas.height = image.height;
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      const result = [];
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
        const data = context.getImageData(x * size, y * size, size, size).data;
        const sum = [0, 0, 0];
        for (let i = 0; i < data.length; i += 4) for (let c = 0; c < 3; c++) sum[c] += data[i + c];
        result.push(sum.map(v => v / (size * size)));
      }
      return { width, height, result };
    }
    function distance(a, b) { return Math.max(...a.map((v, i) => Math.abs(v - b[i]))); }
    (async () => {
      const answer = document.getElementById('result');
      try {
        const [a, b] = [await cells('FIRST'), await cells('SECOND')];
        if (a.width !== b.width || a.height !== b.height) { answer.textContent = 'another size'; return; }
        let different = 0;
        for (let y = 0; y < a.height; y++) for (let x = 0; x < a.width; x++) {
          let least = 255;
          for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) {
            const [u, v] = [x + dx, y + dy];
            if (u < 0 || v < 0 || u >= a.width || v >= a.height) continue;
            least = Math.min(least, distance(a.result[y * a.width + x], b.result[v * a.width + u]));
          }
          if (least > 12) different += 1;
        }
        const share = different / (a.width * a.height);
        answer.textContent = share > 0.01 ? (share * 100).toFixed(1) + ' % of the picture differ' : 'alike';
      } catch (e) { answer.textContent = 'the comparison failed: ' + e; }
    })();
    </script></body></html>
    """#
}
