/** Panels that bundles contribute, and how they are shown. */
package palyra.console.internal.panel;
