// The front door and its values, which tests say what they expect by.
@_exported public import RemodelKit
