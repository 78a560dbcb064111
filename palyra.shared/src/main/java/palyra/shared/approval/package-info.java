/** Approval requests, votes and grants, as the journal stores them. */
package palyra.shared.approval;
