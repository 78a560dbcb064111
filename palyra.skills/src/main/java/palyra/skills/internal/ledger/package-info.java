/** Rows about skills and trust that nobody else can change unnoticed. */
package palyra.skills.internal.ledger;
