/** The native library, its threads, and the engine on them. */
package palyra.lib.cedar.internal.engine;
