/** The native library, its thread, and what is done with them. */
package palyra.lib.cedar.internal.engine;
