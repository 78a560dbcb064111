/** Approval requests: who may answer, what an answer does, what it covers afterwards. */
package palyra.front.internal.approval;
