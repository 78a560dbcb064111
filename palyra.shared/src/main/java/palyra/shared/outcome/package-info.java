/** Changes of the journal whose outcome is always found out. */
package palyra.shared.outcome;
