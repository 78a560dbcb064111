/** The commands {@code skills run} and {@code skills admit}: an operator's calls of modules. */
package palyra.skills.internal.trycommand;
