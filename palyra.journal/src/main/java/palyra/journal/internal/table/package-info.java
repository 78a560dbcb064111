/**
 * The tables: one class for each group of tables, with its SQL and the rows it reads and writes.
 */
package palyra.journal.internal.table;
