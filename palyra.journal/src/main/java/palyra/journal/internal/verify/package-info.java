/**
 * Verification of stored tapes, detection of lost rows, and repair of heads that the tape proves.
 */
package palyra.journal.internal.verify;
