/** The guard in front of Felix's Web Console, where an operator added it. */
package palyra.console.internal.felix;
