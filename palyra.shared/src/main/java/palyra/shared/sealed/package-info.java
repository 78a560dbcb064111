/**
 * Keeps secrets out of what is told: finds them, by their looks and because the vault knows them,
 * and keeps their literals in the sealed parts of a run's records.
 */
package palyra.shared.sealed;
