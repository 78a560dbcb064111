/**
 * Connectors at work: their lives, what they bring in and what they send. {@code route} decides
 * what is answered, {@code inbound} stores it, {@code dispatch} sends.
 */
package palyra.channels.internal;
