/** The writing side: one thread that commits units in groups, checkpoints, and does the upkeep. */
package palyra.journal.internal.write;
