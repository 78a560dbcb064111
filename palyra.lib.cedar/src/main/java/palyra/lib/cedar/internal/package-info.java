/** The holder of the native Cedar engine. */
package palyra.lib.cedar.internal;
