/**
 * Shows answers while they are made: a message that is changed until the answer takes its place.
 */
package palyra.channels.internal.draft;
