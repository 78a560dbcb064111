/** The reading side: a pool of read-only connections, the tape reader and the live feed. */
package palyra.journal.internal.read;
