/// The versions that stay served when a database moves on.
public enum KeptVersions: String, Hashable, Sendable, CaseIterable, Codable {
  /// None: releases have to be on the new version.
  case none
  /// The one before, so that its releases and those on the new version work at the same time.
  case previous
}
