/**
 * Rules of the records that may follow each other in a run: the engine refuses to go on with what
 * breaks it, and of verification, which reports it. Copied privately into each bundle.
 */
package palyra.shared.fold;
