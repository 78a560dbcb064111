/** Neighbours of the skill runtime, for tests. */
package palyra.skills.internal.host.fakes;
