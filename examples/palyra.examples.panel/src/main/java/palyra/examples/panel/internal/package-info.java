/** A panel of the console: runs by hour, and notes on them. */
package palyra.examples.panel.internal;
