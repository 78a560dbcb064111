/**
 * Which record may follow which in a run: the one rule of the engine, which refuses to go on with
 * what breaks it, and of verification, which reports it. Copied privately into each bundle.
 */
package palyra.shared.fold;
