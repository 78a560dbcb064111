/** The SQLite database: its files and lock, connections, migrations, clock and failures. */
package palyra.journal.internal.database;
