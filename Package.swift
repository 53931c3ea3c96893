// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "remodel",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "remodel", targets: ["remodel"]),
    .library(name: "RemodelKit", targets: ["RemodelKit"]),
    .library(name: "RemodelCommands", targets: ["RemodelCommands"]),
    .library(name: "RemodelTesting", targets: ["RemodelTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // Without its Foundation trait: the executable starts twice as fast without Foundation.
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
    // For the server in the tests; nobody who uses the products gets it.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // MARK: Base

    /// A report for people: message, detail, hint, location.
    .target(name: "Diagnostics", dependencies: ["SQLSyntax"]),
    /// SQL text as values: identifiers, literals, fragments, statements; the only place that quotes.
    .target(name: "SQLSyntax"),

    // MARK: Model

    /// The managed object model as values, its validation, its version hashes.
    .target(
      name: "ObjectModel",
      dependencies: ["SQLSyntax", "Diagnostics", "COpenSSL"]
    ),

    // MARK: Map

    /// The difference of two models, the mapping model, inference.
    .target(name: "ModelMapping", dependencies: ["ObjectModel", "SQLSyntax", "Diagnostics"]),
    /// Model files into values, with a location in every complaint.
    .target(
      name: "ModelLoading",
      dependencies: ["ModelMapping", "ObjectModel", "Diagnostics", "CExpat", "CYAML"],
      // Read by editors: the executable has the files in it, and writes them.
      resources: [
        .embedInCode("YAML/remodel-model.schema.json"),
        .embedInCode("YAML/remodel-mapping.schema.json"),
      ]
    ),

    // MARK: Plan

    /// A mapping and two schemas into an ordered plan of operations with hazards and SQL.
    .target(
      name: "MigrationPlanning",
      dependencies: [
        "ModelMapping", "ObjectModel", "SQLSyntax", "Diagnostics",
        .product(name: "HeapModule", package: "swift-collections"),
      ]
    ),

    /// A catalog against a projection: drift from a recorded version, a model of what is there already.
    .target(
      name: "CatalogComparison",
      dependencies: ["MigrationPlanning", "ObjectModel", "SQLSyntax"]
    ),

    // MARK: Execute

    /// A safe connection: execute, query, transaction, cancel, server errors.
    .target(name: "PostgresClient", dependencies: ["CPostgreSQL", "SQLSyntax", "Diagnostics"]),
    /// Runs a plan: turn, locks, metadata, transactions, retries; emits events.
    .target(
      name: "MigrationExecution",
      dependencies: [
        "PostgresClient", "CatalogComparison", "MigrationPlanning", "ModelMapping", "ObjectModel",
        "SQLSyntax", "Diagnostics",
        .product(name: "Logging", package: "swift-log"),
      ]
    ),

    // MARK: Front doors

    /// The library's front door: load, infer, plan, execute in one type.
    .target(
      name: "RemodelKit",
      dependencies: [
        "MigrationExecution", "PostgresClient", "CatalogComparison", "MigrationPlanning",
        "ModelLoading", "ModelMapping", "ObjectModel", "SQLSyntax", "Diagnostics",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),
    /// Verbs, options, exit codes, reports.
    .target(
      name: "RemodelCommands",
      dependencies: [
        "RemodelKit", "SQLSyntax",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      // Read by other programs, as those of model files.
      resources: [.embedInCode("Reporting/Schemas")]
    ),
    /// For users' tests: a throwaway PostgreSQL and "migrate from version N and assert".
    .target(
      name: "RemodelTesting",
      dependencies: [
        "RemodelKit", "PostgresClient", "MigrationPlanning", "ModelMapping", "SQLSyntax",
        "Diagnostics",
      ]
    ),
    .executableTarget(name: "remodel", dependencies: ["RemodelCommands"]),

    // MARK: Tests

    /// A server, golden files, random models and tags for the tests.
    .target(
      name: "TestSupport",
      dependencies: [
        "RemodelTesting", "RemodelKit", "MigrationExecution", "ModelLoading", "PostgresClient",
        "MigrationPlanning", "ModelMapping", "ObjectModel", "SQLSyntax", "CExpat",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      path: "Tests/TestSupport"
    ),
    .testTarget(name: "SQLSyntaxTests", dependencies: ["SQLSyntax", "TestSupport"]),
    .testTarget(
      name: "ModelLoadingTests",
      dependencies: ["ModelLoading", "ModelMapping", "ObjectModel", "Diagnostics", "TestSupport"],
      exclude: ["Golden"]
    ),
    .testTarget(
      name: "ObjectModelTests",
      dependencies: [
        "ObjectModel", "Diagnostics", "TestSupport",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ],
      exclude: ["Golden"]
    ),
    .testTarget(
      name: "ModelMappingTests",
      dependencies: [
        "ModelMapping", "ObjectModel", "Diagnostics", "TestSupport",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ],
      exclude: ["Golden"]
    ),
    .testTarget(
      name: "MigrationPlanningTests",
      dependencies: [
        "MigrationExecution", "MigrationPlanning", "ModelLoading", "ModelMapping", "ObjectModel",
        "PostgresClient",
        "SQLSyntax", "Diagnostics", "TestSupport",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ],
      exclude: ["Golden"]
    ),
    .testTarget(
      name: "CatalogComparisonTests",
      dependencies: [
        "CatalogComparison", "MigrationPlanning", "ObjectModel", "SQLSyntax", "TestSupport",
      ]
    ),
    .testTarget(
      name: "MigrationExecutionTests",
      dependencies: [
        "MigrationExecution", "MigrationPlanning", "ObjectModel", "PostgresClient", "RemodelKit",
        "SQLSyntax", "TestSupport",
      ]
    ),
    /// Databases that are taken over; with `REMODEL_ADOPTION_SCHEMAS`, also by the scripts of a folder.
    .testTarget(
      name: "AdoptionTests",
      dependencies: [
        "RemodelKit", "MigrationExecution", "MigrationPlanning", "ModelLoading", "ObjectModel",
        "PostgresClient", "SQLSyntax", "TestSupport",
      ],
      exclude: ["Schemas", "Golden"]
    ),
    /// What others leave in a database for those who migrate it.
    .testTarget(
      name: "AttackTests",
      dependencies: [
        "remodel", "PostgresClient", "SQLSyntax", "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["Attacks"]
    ),
    /// Migrations that are cut off.
    .testTarget(name: "FaultTests", dependencies: ["RemodelKit", "TestSupport"]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "RemodelKit", "MigrationExecution", "MigrationPlanning", "ModelLoading", "ModelMapping",
        "ObjectModel", "SQLSyntax",
        "Diagnostics", "TestSupport",
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["Scenarios"]
    ),
    .testTarget(
      name: "PostgresClientTests",
      dependencies: ["PostgresClient", "SQLSyntax", "Diagnostics", "TestSupport"]
    ),
    .testTarget(
      name: "RemodelKitTests",
      dependencies: [
        "RemodelKit", "CatalogComparison", "MigrationExecution", "MigrationPlanning",
        "ModelLoading", "ModelMapping", "ObjectModel", "PostgresClient", "SQLSyntax",
        "Diagnostics", "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["Golden", "Mappings/Golden"]
    ),
    /// What users' own tests are written with, as users write them.
    .testTarget(name: "RemodelTestingTests", dependencies: ["RemodelTesting"]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "remodel", "PolicyExample", "RemodelCommands", "RemodelKit", "PostgresClient", "SQLSyntax",
        "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["Golden"]
    ),
    /// The executable with a policy in code that the documentation shows.
    .executableTarget(
      name: "PolicyExample",
      dependencies: ["RemodelCommands", "RemodelKit"],
      path: "Tests/PolicyExample"
    ),
    /// A server that migrates at its start, which the documentation shows.
    .executableTarget(
      name: "ExampleServer",
      dependencies: [
        "RemodelKit",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/ExampleServer"
    ),
    .testTarget(
      name: "ExampleServerTests",
      dependencies: [
        "ExampleServer", "RemodelKit", "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),
    /// The sample, and the models that the documentation shows.
    .testTarget(
      name: "SampleTests",
      dependencies: [
        "remodel", "RemodelKit", "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),

    /// Tries the readers with damaged inputs, by itself or driven by tests.
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "RemodelCommands", "RemodelKit", "MigrationPlanning", "ModelLoading", "ModelMapping",
        "ObjectModel", "SQLSyntax", "Diagnostics",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      path: "Tests/Fuzzing",
      exclude: ["Seeds"]
    ),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "Fuzzing", "TestSupport", .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),

    // MARK: System libraries

    .systemLibrary(
      name: "CPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl"])]
    ),
    .systemLibrary(
      name: "CExpat",
      pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]
    ),
    .systemLibrary(
      name: "CYAML",
      pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  if target.path == nil, target.type != .test { target.exclude.append("README.md") }
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
