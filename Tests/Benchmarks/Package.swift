// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "remodel", path: "../.."),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        .product(name: "RemodelKit", package: "remodel"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      path: "Sources/Benchmarks"
    ),
    /// The floor of a deploy with nothing to do: connect, one query.
    .executableTarget(
      name: "bare-libpq",
      dependencies: ["CLibPQ"],
      path: "Sources/bare-libpq"
    ),
    .systemLibrary(name: "CLibPQ", path: "Sources/CLibPQ", pkgConfig: "libpq"),
  ]
)
