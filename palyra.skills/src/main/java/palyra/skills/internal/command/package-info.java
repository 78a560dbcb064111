/** The commands of {@code palyra skills}. */
package palyra.skills.internal.command;
