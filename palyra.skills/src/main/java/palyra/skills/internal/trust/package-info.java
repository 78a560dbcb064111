/** Whose keys sign skills: allowlist, pins, rotations, revocations. */
package palyra.skills.internal.trust;
