/**
 * File tools for agents. Everything is opened from the workspace downwards, one name at a time,
 * without following links, so that no change made meanwhile can lead out of it.
 */
package palyra.sandbox.internal.files;
