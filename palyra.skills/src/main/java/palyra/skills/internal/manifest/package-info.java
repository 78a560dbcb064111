/** Reads {@code skill.toml}. */
package palyra.skills.internal.manifest;
