/** What a state folder had when its gateway ran last, and what it lacks now. */
package palyra.backup.internal.known;
