/** Authenticated rows about skills and trust: changes by other programs are detected. */
package palyra.skills.internal.ledger;
