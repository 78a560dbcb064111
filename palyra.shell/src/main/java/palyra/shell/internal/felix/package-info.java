/**
 * Felix's own commands as commands of this shell, each with its action. Gogo's language is not
 * offered: it reaches every object in the JVM.
 */
package palyra.shell.internal.felix;
