/** Removes from the journal what is older than the configuration lets it be kept. */
package palyra.retention.internal;
