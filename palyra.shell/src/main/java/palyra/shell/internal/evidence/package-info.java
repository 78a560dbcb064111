/** What the tape proves about calls: attestations, and why a call ran or did not. */
package palyra.shell.internal.evidence;
