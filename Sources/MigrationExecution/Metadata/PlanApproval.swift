/// That a plan was looked at before it runs, as the audit log keeps it.
public struct PlanApproval: Hashable, Sendable {
  /// The digest of the plan that was looked at.
  public let planDigest: String
  /// Who has approved it, as the caller says; none if it is not said.
  public let approvedBy: String?

  /// Creates an approval.
  public init(planDigest: String, approvedBy: String? = nil) {
    self.planDigest = planDigest
    self.approvedBy = approvedBy
  }
}
