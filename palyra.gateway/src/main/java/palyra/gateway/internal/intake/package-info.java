/**
 * Turns messages into runs: finds or makes the session, then records message, run and first turn in
 * one unit. The engine calls it, for messages that come and for those that waited.
 */
package palyra.gateway.internal.intake;
