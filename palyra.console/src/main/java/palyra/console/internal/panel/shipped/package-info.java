/** The panels that come with the console: they render what the shell's commands say. */
package palyra.console.internal.panel.shipped;
