/**
 * Keeps secrets out of records and output: finds them by their form and by the vault's values, and
 * keeps their literals in the sealed parts of a run's records.
 */
package palyra.shared.sealed;
