/** The journal beside raw SQLite. */
package palyra.bench.journal;
