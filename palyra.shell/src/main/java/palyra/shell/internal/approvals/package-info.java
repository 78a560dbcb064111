/** Approval requests at the terminal: lists, answers, grants, and the prompt within a run. */
package palyra.shell.internal.approvals;
