/**
 * Approval of calls: the approval request and its text, the grants that cover a call, the expiry of
 * requests. The engine uses it; votes are counted in another bundle.
 */
package palyra.gateway.internal.approval;
