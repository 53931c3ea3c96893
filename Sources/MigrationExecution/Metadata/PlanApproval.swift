/// The approval of a plan, as the audit log records it.
public struct PlanApproval: Hashable, Sendable {
  /// The digest of the approved plan.
  public let planDigest: String
  /// The approver, from the caller; `nil` if not given.
  public let approvedBy: String?

  /// Creates an approval.
  package init(planDigest: String, approvedBy: String? = nil) {
    self.planDigest = planDigest
    self.approvedBy = approvedBy
  }
}
