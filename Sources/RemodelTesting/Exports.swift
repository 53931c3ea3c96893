// The library and its values, for the expectations of tests.
@_exported public import RemodelKit
