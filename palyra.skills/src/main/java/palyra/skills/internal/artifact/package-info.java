/** The file {@code .palyra-skill}: reading, writing, signing and checking it. */
package palyra.skills.internal.artifact;
