/** A bounded memory of how a few metrics went. */
package palyra.health.internal.history;
