/**
 * The one store: an SQLite database with files for large payloads beside it. One thread writes
 * units in groups, a few read, others look after space, checkpoints and damage. Its component
 * offers journal, live feed and verifier to the other bundles.
 */
package palyra.journal.internal;
